const PARTS = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/
const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})$/

/** Accepts `83`, `83s`, `1m23s`, `1h2m3s` and `1:23`. */
export function parseTimeParameter(text: string | null | undefined): number | undefined {
  const found = text ? (CLOCK.exec(text) ?? PARTS.exec(text)) : null
  if (!found) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  return hours * 3600 + minutes * 60 + seconds
}

/** Without a time at 0. */
export function addressAt(path: string, seconds: number): string {
  const whole = Math.floor(seconds)
  return whole > 0 ? `${path}?t=${whole}` : path
}

/** Undefined after the end of the video. */
export function startSecondsOf(search: string, durationSeconds: number): number | undefined {
  const seconds = parseTimeParameter(new URLSearchParams(search).get('t'))
  return seconds !== undefined && seconds < durationSeconds ? seconds : undefined
}
