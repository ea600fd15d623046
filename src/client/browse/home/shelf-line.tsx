import { type ReactNode, useId } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { ClipLine } from '../clip/clip-line.tsx'
import { NEW_CLIPS } from '../queue/clip-queue-key.ts'
import { usePositions } from '../video/list/use-positions.ts'
import { VideoRow } from '../video/list/video-row.tsx'
import classes from './shelf-line.module.css'

type ShelfLineProps = {
  title: ReactNode
  item: { video: Video } | { clip: Clip }
  action?: ReactNode
}

/** Replaces a shelf that would have one card. */
export default function ShelfLine({ title, item, action }: ShelfLineProps) {
  const id = useId()
  return (
    <section
      className={`${look('below24', 'pad12', 'card', 'surface')} ${classes.line}`}
      aria-labelledby={id}
    >
      <h2 id={id} className={look('smallHeading')}>
        {title}
      </h2>
      {'clip' in item ? <ClipLine clip={item.clip} list={NEW_CLIPS} /> : <VideoLine {...item} />}
      {action}
    </section>
  )
}

function VideoLine({ video }: { video: Video }) {
  const positions = usePositions([video])
  return <VideoRow video={video} heading="h3" positionSeconds={positions.get(video.id)} />
}
