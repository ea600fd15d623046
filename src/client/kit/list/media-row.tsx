import type { ReactNode } from 'react'
import { column, look } from '../layout/layout.ts'
import { Thumbnail } from '../video/thumbnail.tsx'
import classes from './media-row.module.css'

/** For an `ol` of rows that scrolls within its height. */
export const mediaList = classes.list

/** Class name of a row's title. */
export const mediaTitle = `${look('twoLines')} ${classes.title}`

type MediaRowProps = {
  /** Before the picture. */
  start?: ReactNode
  pictureUrl: string | null | undefined
  seconds: number
  /** Has the class name `mediaTitle`. */
  title: ReactNode
  facts: ReactNode
  /** Content below the facts, such as a problem. */
  notes?: ReactNode
  /** After the words. */
  end?: ReactNode
  isCurrent?: boolean
  className?: string | undefined
}

/** One line of a short list: picture, title and facts. */
export function MediaRow(props: MediaRowProps) {
  const { start, pictureUrl, seconds, title, facts, notes, end, isCurrent, className = '' } = props
  return (
    <div className={`${classes.row} ${className}`} data-current={isCurrent || undefined}>
      {start}
      <Thumbnail src={pictureUrl} seconds={seconds} />
      <span className={column(0, 'fill')}>
        {title}
        <span className={look('oneLine', 'fine')}>{facts}</span>
        {notes}
      </span>
      {end}
    </div>
  )
}
