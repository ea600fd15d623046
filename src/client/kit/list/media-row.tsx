import type { ReactNode } from 'react'
import { column, textStyles } from '../layout/layout.ts'
import { Thumbnail } from '../video/thumbnail.tsx'
import classes from './media-row.module.css'

/** The class name of a box with rows in an `ol`, which scrolls within the height that it has. */
export const mediaList = classes.list

/** The class names of a row's title. */
export const mediaTitle = `${textStyles.twoLines} ${classes.title}`

type MediaRowProps = {
  /** Before the picture. */
  start?: ReactNode
  pictureUrl: string | null | undefined
  seconds: number
  /** An element with the class names `mediaTitle`. */
  title: ReactNode
  facts: ReactNode
  /** After the words. */
  end?: ReactNode
  isCurrent?: boolean
  className?: string | undefined
}

/** A video or a clip as one line of a short list: a small picture, the title, and a line of facts. */
export function MediaRow(props: MediaRowProps) {
  const { start, pictureUrl, seconds, title, facts, end, isCurrent, className = '' } = props
  return (
    <div className={`${classes.row} ${className}`} data-current={isCurrent || undefined}>
      {start}
      <Thumbnail src={pictureUrl} seconds={seconds} />
      <span className={column(0, 'fill')}>
        {title}
        <span className={`${textStyles.oneLine} ${textStyles.fine}`}>{facts}</span>
      </span>
      {end}
    </div>
  )
}
