import { type ReactNode, useId } from 'react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { ClipShelf } from './clip-list.tsx'
import classes from './clip-section.module.css'

type ClipSectionProps = {
  title: string
  clips: readonly Clip[]
  /** The list that each plays on through. */
  list?: string
  action?: ReactNode
}

/** A titled row of clips; nothing where there are none. */
export function ClipSection({ title, clips, list, action }: ClipSectionProps) {
  const id = useId()
  if (clips.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {action}
      </div>
      <ClipShelf clips={clips} {...(list !== undefined && { list })} />
    </section>
  )
}
