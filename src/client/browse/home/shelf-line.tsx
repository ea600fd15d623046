import { type ReactNode, useId } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { usePositions } from '../video/list/use-positions.ts'
import { VideoRow } from '../video/list/video-row.tsx'

type ShelfLineProps = { title: ReactNode; video: Video; action?: ReactNode }

/** In place of a shelf with one card. */
export default function ShelfLine({ title, video, action }: ShelfLineProps) {
  const id = useId()
  const positions = usePositions([video])
  return (
    <section className={look('below24', 'pad16', 'card', 'surface')} aria-labelledby={id}>
      <div className={`${row(16, 'between', 'below8')}`}>
        <h2 id={id} className={look('smallHeading')}>
          {title}
        </h2>
        {action}
      </div>
      <VideoRow video={video} heading="h3" positionSeconds={positions.get(video.id)} />
    </section>
  )
}
