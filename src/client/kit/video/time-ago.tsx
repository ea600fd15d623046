import { useMinute } from '#client/platform/use-minute.ts'
import { formatDate, formatRelativeTime } from '#shared/text/format.ts'

/** A time as people say it ('5 minutes ago'), kept true while it is on the screen; the date as its tooltip. */
export function TimeAgo({ time }: { time: string }) {
  useMinute()
  return (
    <time dateTime={time} title={formatDate(time)}>
      {formatRelativeTime(time)}
    </time>
  )
}
