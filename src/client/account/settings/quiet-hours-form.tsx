import '#client/kit/styles/mantine-pages.css'
import { Switch, TextInput } from '@mantine/core'
import { stack } from '#client/kit/layout/layout.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { QuietHours } from '#shared/quiet-hours.ts'
import classes from './push.module.css'

const [EVENING, MORNING] = [22 * 60, 8 * 60]

const two = (number: number) => String(number).padStart(2, '0')
const toText = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`

/** @returns undefined for an incomplete time */
function toMinute(text: string): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** Changes are saved at once, in the time zone of the device. */
export function QuietHoursForm({ hours }: { hours: QuietHours | null }) {
  const utils = trpc.useUtils()
  const choose = trpc.push.chooseQuietHours.useMutation({
    onSuccess: (saved) => utils.push.state.setData(undefined, saved),
    onError: notifyFailure('Not saved'),
  })
  const shown = choose.isPending ? choose.variables.hours : hours
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const save = (change: { fromMinute?: number | undefined; toMinute?: number | undefined }) => {
    const { fromMinute = shown?.fromMinute ?? EVENING, toMinute = shown?.toMinute ?? MORNING } =
      change
    choose.mutate({ hours: { fromMinute, toMinute, timeZone } })
  }
  const ofField = (name: 'fromMinute' | 'toMinute', text: string) => {
    const minute = toMinute(text)
    if (minute !== undefined) save({ [name]: minute })
  }
  return (
    <div className={stack(12)}>
      <Switch
        label="Quiet hours"
        description="No push notifications in this time. You get one message about what is new afterwards."
        checked={shown !== null}
        onChange={({ currentTarget }) =>
          currentTarget.checked ? save({}) : choose.mutate({ hours: null })
        }
      />
      {shown && (
        <div className={classes.hours}>
          {(['fromMinute', 'toMinute'] as const).map((name) => (
            <TextInput
              key={name}
              type="time"
              label={name === 'fromMinute' ? 'From' : 'To'}
              defaultValue={toText(shown[name])}
              onBlur={({ currentTarget }) => ofField(name, currentTarget.value)}
            />
          ))}
        </div>
      )}
    </div>
  )
}
