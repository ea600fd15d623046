/** If `toMinute` is smaller, the period ends on the next day. */
export type QuietHours = {
  /** Minutes since midnight. */
  fromMinute: number
  toMinute: number
  /** IANA name, such as 'Europe/Berlin'. */
  timeZone: string
}

const DAY_MINUTES = 24 * 60

/** @returns whole minutes until the end of the period, or undefined outside of it */
export function minutesOfQuiet(
  { fromMinute, toMinute, timeZone }: QuietHours,
  now: Date,
): number | undefined {
  const minute = minuteOfDay(now, timeZone)
  const since = (minute - fromMinute + DAY_MINUTES) % DAY_MINUTES
  const length = (toMinute - fromMinute + DAY_MINUTES) % DAY_MINUTES
  return since < length ? length - since : undefined
}

function minuteOfDay(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...{ hour: 'numeric', minute: 'numeric', hourCycle: 'h23', timeZone },
  }).formatToParts(now)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return read('hour') * 60 + read('minute')
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
