import { look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Video, VideoExpiry } from '#shared/schemas/video.schemas.ts'
import classes from './edit-video-dialog.module.css'

const DAY_MS = 86_400_000

const ENDINGS = [
  { value: 'never', label: 'Never' },
  { value: 'private', label: 'Becomes private' },
  { value: 'delete', label: 'Is deleted' },
] as const

/** `endDay` is local, YYYY-MM-DD, or empty. */
export type Ending = { ending: (typeof ENDINGS)[number]['value']; endDay: string }

export function toEnding(expiry: Video['expiry']): Ending {
  if (!expiry) return { ending: 'never', endDay: '' }
  return { ending: expiry.action, endDay: toDay(new Date(expiry.at)) }
}

/**
 * Start of the day; an unchanged day keeps its time.
 * @returns null for never, undefined without a future day
 */
export function toExpiry(
  { ending, endDay }: Ending,
  before: Video['expiry'],
): VideoExpiry | null | undefined {
  if (ending === 'never') return null
  if (before && endDay === toEnding(before).endDay) return { at: before.at, action: ending }
  const start = new Date(`${endDay}T00:00`)
  return start.getTime() > Date.now() ? { at: start.toISOString(), action: ending } : undefined
}

function toDay(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((n) => String(n).padStart(2, '0'))
  return `${time.getFullYear()}-${month}-${day}`
}

type ExpiryFieldProps = {
  ending: Ending
  error: ReactNode
  onChange: (ending: Ending) => void
}

export function ExpiryField({ ending: value, error, onChange }: ExpiryFieldProps) {
  const { ending, endDay } = value
  const ends = ending !== 'never'
  return (
    <div>
      <div className={classes.pair}>
        <Select
          name={ends ? undefined : 'expiry'}
          label="Expires"
          data={[...ENDINGS]}
          value={ending}
          onChange={(chosen) => chosen && onChange({ ending: chosen, endDay })}
        />
        {ends && (
          <TextInput
            type="date"
            name="expiry"
            label="Date"
            required
            min={toDay(new Date(Date.now() + DAY_MS))}
            value={endDay}
            error={error}
            onChange={(event) => onChange({ ending, endDay: event.currentTarget.value })}
          />
        )}
      </div>
      {ends && (
        <p className={look('above8', 'note')}>
          You are notified 7 days before, and can still keep the video until then.
        </p>
      )}
    </div>
  )
}
