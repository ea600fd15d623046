import { look } from '#client/kit/layout/layout.ts'
import { Spinner } from '#client/kit/spinner.tsx'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import classes from './arriving-panel.module.css'
import { arrivingText } from './arriving-texts.ts'

/** Takes the player's place while there is nothing to play. */
export function ArrivingPanel({ upload }: { upload: Arriving }) {
  const isComing = upload.state === 'arriving' && upload.plays !== 'no'
  return (
    <div className={`${classes.root} ${look('centred', 'coverAnchor')}`}>
      {isComing ? (
        <Spinner size={56} label="Waiting for the first pictures" />
      ) : (
        <p>{arrivingText(upload)}</p>
      )}
    </div>
  )
}
