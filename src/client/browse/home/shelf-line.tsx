import { type ReactNode, useId } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { usePositions } from '../video/list/use-positions.ts'
import { VideoRow } from '../video/list/video-row.tsx'
import classes from './shelf-line.module.css'

type ShelfLineProps = { title: ReactNode; video: Video; action?: ReactNode }

/** Replaces a shelf that would hold a single card. */
export default function ShelfLine({ title, video, action }: ShelfLineProps) {
  const id = useId()
  const positions = usePositions([video])
  return (
    <section
      className={`${look('below24', 'pad12', 'card', 'surface')} ${classes.line}`}
      aria-labelledby={id}
    >
      <h2 id={id} className={look('smallHeading')}>
        {title}
      </h2>
      <VideoRow video={video} heading="h3" positionSeconds={positions.get(video.id)} />
      {action}
    </section>
  )
}
