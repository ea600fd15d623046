import { useId } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { PlayAll } from '../queue/play-all.tsx'
import { ClipShelf } from './clip-list.tsx'

type ClipSectionProps = {
  title: string
  clips: readonly Clip[]
  /** Names the queue that the links open. Without it the clips do not play as a queue. */
  list?: string
}

/** Renders nothing if there are no clips. */
export function ClipSection({ title, clips, list }: ClipSectionProps) {
  const id = useId()
  if (clips.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <div className={row(16, 'between', 'small')}>
        <h2 id={id} className={look('heading')}>
          {title}
        </h2>
        {list !== undefined && clips.length > 1 && (
          <PlayAll list={list} videos={clips} noun="clip" isQuiet />
        )}
      </div>
      <ClipShelf clips={clips} {...(list !== undefined && { list })} />
    </section>
  )
}
