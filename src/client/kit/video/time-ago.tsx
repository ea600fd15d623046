import { useMinute } from '#client/platform/use-minute.ts'
import { formatDate, formatRelativeTime } from '#shared/text/format.ts'

/** Relative and kept up to date; the date is its tooltip. */
export function TimeAgo({ time }: { time: string }) {
  useMinute()
  return (
    <time dateTime={time} title={formatDate(time)}>
      {formatRelativeTime(time)}
    </time>
  )
}
