import { IconMapPin, IconMessage } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { TilePicture } from '#client/kit/video/tile-picture.tsx'
import type { StoryboardTile } from '#client/platform/video/storyboard.ts'
import { formatDuration } from '#shared/text/format.ts'
import type { CommentMark } from '../core/comment-marks.ts'
import classes from './seek-preview.module.css'

const WIDTH = 176
const TALLEST = 176

type SeekPreviewProps = {
  seconds: number
  /** 0 to 1, along the bar. */
  share: number
  tile: StoryboardTile | undefined
  chapter: string | undefined
  mark: CommentMark | undefined
  /** Viewers who marked the moment. */
  markCount: number
}

/** Picture, chapter, comment and time at the pointer. */
export default function SeekPreview(props: SeekPreviewProps) {
  const { seconds, share, tile, chapter, mark, markCount } = props
  return (
    <div
      className={`${column(4, 'centre')} ${classes.preview}`}
      style={{ '--share': share } as CSSProperties}
      aria-hidden="true"
    >
      {mark && (
        <span className={`${row(4, 'start')} ${classes.comment}`}>
          <IconMessage size={14} className={classes.bubble} />
          <span>
            <b>{mark.name}</b> {mark.text}
            {mark.count > 1 && <i> +{mark.count - 1}</i>}
          </span>
        </span>
      )}
      {tile && <TilePicture tile={tile} width={WIDTH} height={TALLEST} className={classes.frame} />}
      {chapter && <span className={`${look('oneLine')} ${classes.chapter}`}>{chapter}</span>}
      {markCount > 0 && (
        <span className={row(4)}>
          <IconMapPin size={14} className={classes.bubble} />
          Marked by {markCount}
        </span>
      )}
      <span className={classes.time}>{formatDuration(seconds)}</span>
    </div>
  )
}
