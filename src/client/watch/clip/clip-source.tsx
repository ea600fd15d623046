import { IconMovie } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { Picture } from '#client/kit/video/picture.tsx'
import { posterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import classes from './clip-source.module.css'

/** Link to the clip's start in the whole video. */
export function ClipSource({ clip }: { clip: Pick<Clip, 'startSeconds' | 'video'> }) {
  const { video, startSeconds } = clip
  const at = Math.floor(startSeconds)
  return (
    <Link
      to="/video/$id"
      params={{ id: String(video.id) }}
      search={at > 0 ? { t: String(at) } : {}}
      className={`${row(12, 'framed', 'hoverable')} ${classes.root}`}
    >
      <span className={classes.picture}>
        <Picture src={posterOf(video).src} />
      </span>
      <span className={column(2, 'shrink')}>
        <span className={row(4, 'note')}>
          <IconMovie size={16} stroke={1.75} aria-hidden /> From the whole video
        </span>
        <span className={look('oneLine', 'strong')}>{video.title}</span>
        <span className={look('note')}>
          at {formatDuration(startSeconds)} of {formatDuration(video.duration)}
        </span>
        <span className={look('note')}>
          Whoever can see the video can see the clip. It is deleted with the video.
        </span>
      </span>
    </Link>
  )
}
