import { IconEye } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { trpc } from '#client/trpc.ts'
import { useVideoNews } from './use-video-news.ts'
import classes from './watching-now.module.css'

type WatchingNowProps = { videoId: number; showsFaces: boolean }

/** In the line of the views. Faces of those whom the viewer follows, where both allow it. */
export default function WatchingNow({ videoId, showsFaces }: WatchingNowProps) {
  const watching = useVideoNews(videoId)?.watching ?? 0
  const faces = trpc.watching.faces.useQuery(
    { id: videoId },
    { enabled: showsFaces && watching > 0, staleTime: 0 },
  ).data
  if (watching === 0) return null
  return (
    <span className={`${row(4, 'inline')} ${classes.root}`}>
      <IconEye size={16} aria-hidden />
      <RollingNumber value={watching}>{String(watching)}</RollingNumber>{' '}
      <span className={classes.words}>watching now</span>
      {showsFaces && faces && faces.length > 0 && (
        <span
          className={classes.faces}
          role="img"
          aria-label={`With ${faces.map(({ displayName }) => displayName).join(', ')}`}
          title={faces.map(({ displayName }) => displayName).join(', ')}
        >
          {faces.map(({ id, displayName, avatarUrl }) => (
            <UserAvatar key={id} name={displayName} src={avatarUrl} size={20} />
          ))}
        </span>
      )}
    </span>
  )
}
