import { IconAlertTriangle, IconCloudUp, IconPlayerPause } from '@tabler/icons-react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import classes from './arriving-line.module.css'
import { arrivedText, arrivingNote, arrivingText } from './arriving-texts.ts'

const ICONS: Partial<Record<Arriving['state'], typeof IconCloudUp>> = {
  paused: IconPlayerPause,
  failed: IconAlertTriangle,
  cancelled: IconAlertTriangle,
}

/** How far the upload is. Screen readers hear its state, and read how far it is when they ask. */
export function ArrivingLine({ upload }: { upload: Arriving }) {
  const { state, percent } = upload
  const Icon = ICONS[state] ?? IconCloudUp
  const isOver = state === 'failed' || state === 'cancelled'
  return (
    <section
      className={`${column(8, 'stretch')} ${classes.root}`}
      data-state={state}
      aria-label="Upload"
    >
      <p className={row(8)}>
        <Icon size={20} stroke={1.75} className={classes.icon} aria-hidden />
        <span className={`${look('strong')} ${classes.words}`}>{arrivingText(upload)}</span>
        <span className="visually-hidden" role="status">
          {state === 'arriving' ? 'The upload is still arriving' : arrivingText(upload)}
        </span>
      </p>
      {!isOver && <WorkBar label={`Arrived: ${arrivedText(upload)}`} percent={percent} />}
      <p className={look('note')}>{arrivingNote(upload)}</p>
    </section>
  )
}
