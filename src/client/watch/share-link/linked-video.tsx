import { useRef } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import type { LinkedVideo as Entry } from '#shared/schemas/share-link.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import type { PlayerHandle, VideoPlayer } from '../player/video-player.tsx'
import { LinkedComments } from './linked-comments.tsx'
import { LinkedPlayer } from './linked-player.tsx'
import classes from './linked-video.module.css'
import { useLinkEnd } from './use-link-end.ts'

type LinkedVideoProps = {
  Player: typeof VideoPlayer
  entry: Entry
  token: string
  grant: string | null
  /** The link has ended. */
  onEnd: () => void
}

/** Player, facts and comments. */
export function LinkedVideo({ Player, entry, token, grant, onEnd }: LinkedVideoProps) {
  const player = useRef<PlayerHandle>(null)
  const { video } = entry
  const url = video.videoFileExists ? video.videoUrl : null
  useLinkEnd({ token, grant, videoId: video.id, url: url ?? video.thumbnailUrl }, onEnd)
  const onSeek = (seconds: number) => player.current?.playFrom(seconds)
  const owner = video.ownerName ?? 'Anonymous'
  return (
    <>
      <LinkedPlayer Player={Player} entry={entry} path={`/s/${token}`} player={player} />
      <div className={column(12, 'shrink')}>
        <h1 className={classes.title}>{video.title}</h1>
        <p className={`${row([8, 12], 'wrap', 'breakWords')} ${classes.owner}`}>
          <UserAvatar name={owner} src={video.ownerAvatarUrl} isNobody={video.ownerName === null} />
          <b>{owner}</b>
          <time dateTime={video.publishedAt}>{formatDate(video.publishedAt)}</time>
        </p>
        {video.description && (
          <section
            className={look('pad12x16', 'card', 'surface', 'preserveLines')}
            aria-label="Description"
          >
            <RichText
              text={video.description}
              durationSeconds={video.duration}
              onSeek={onSeek}
              isPlain
            />
          </section>
        )}
        <LinkedComments
          comments={entry.comments.items}
          durationSeconds={video.duration}
          onSeek={onSeek}
        />
      </div>
    </>
  )
}
