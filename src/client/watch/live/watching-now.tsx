import { IconEye } from '@tabler/icons-react'
import { Faces } from '#client/kit/face/faces.tsx'
import { row } from '#client/kit/layout/layout.ts'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { trpc } from '#client/trpc.ts'
import { useVideoNews } from './use-video-news.ts'
import classes from './watching-now.module.css'

type WatchingNowProps = { videoId: number; showsFaces: boolean }

/** Shows how many people watch, and the faces of followed members if both sides allow it. */
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
          role="img"
          aria-label={`With ${faces.map(({ displayName }) => displayName).join(', ')}`}
          title={faces.map(({ displayName }) => displayName).join(', ')}
        >
          <Faces people={faces} size={20} />
        </span>
      )}
    </span>
  )
}
