/** Display formats of the specification. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30 * DAY
const YEAR = 365 * DAY

/** 999 → '999', 1000 → '1K', 1500 → '1.5K', 2_000_000 → '2M'. */
export function formatCount(count: number): string {
  if (count >= 999_950) return `${oneDecimal(count / 1_000_000)}M`
  if (count >= 1000) return `${oneDecimal(count / 1000)}K`
  return String(count)
}

export function formatViews(count: number): string {
  if (count === 0) return 'No views'
  return count === 1 ? '1 view' : `${formatCount(count)} views`
}

export function formatSubscribers(count: number): string {
  return count === 1 ? '1 subscriber' : `${formatCount(count)} subscribers`
}

/** 'm:ss', or 'h:mm:ss' from an hour on. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / HOUR)
  const minutes = Math.floor((whole % HOUR) / MINUTE)
  const rest = String(whole % MINUTE).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** '1:23.4'. */
export function formatTenths(seconds: number): string {
  const tenths = Math.round(Math.max(0, seconds) * 10)
  return `${formatDuration(Math.floor(tenths / 10))}.${tenths % 10}`
}

/** 'Just now', '5 minutes ago', …; the future is 'Just now'. */
export function formatRelativeTime(time: string | Date, now: Date = new Date()): string {
  const seconds = Math.floor((now.getTime() - new Date(time).getTime()) / 1000)
  if (seconds < MINUTE) return 'Just now'
  if (seconds < HOUR) return ago(seconds / MINUTE, 'minute')
  if (seconds < DAY) return ago(seconds / HOUR, 'hour')
  if (seconds < MONTH) return ago(seconds / DAY, 'day')
  if (seconds < YEAR) return ago(seconds / MONTH, 'month')
  return ago(seconds / YEAR, 'year')
}

/** Creating it is expensive. */
let dateFormat: Intl.DateTimeFormat | undefined

/** 'Nov 21, 2026'. */
export function formatDate(time: string | Date): string {
  dateFormat ??= new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
  return dateFormat.format(new Date(time))
}

/** '500MB', '1.5GB' (1 MB is 1,048,576 bytes). */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / (1024 * 1024)
  if (megabytes >= 1024) return `${oneDecimal(megabytes / 1024)}GB`
  if (megabytes >= 1) return `${oneDecimal(megabytes)}MB`
  return `${Math.max(Math.min(bytes, 1), Math.round(bytes / 1024))}KB`
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

function ago(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}

export function countOf(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
