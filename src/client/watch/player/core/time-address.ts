const PARTS = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/
const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2})$/

/** Seconds that `?t=` means: `83`, `83s`, `1m23s`, `1h2m3s` or `1:23`; undefined when it means nothing. */
export function parseTimeParameter(text: string | null | undefined): number | undefined {
  const found = text ? (CLOCK.exec(text) ?? PARTS.exec(text)) : null
  if (!found) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  return hours * 3600 + minutes * 60 + seconds
}

/** The address of a place in a video; that of its beginning has no time. */
export function addressAt(path: string, seconds: number): string {
  const whole = Math.floor(seconds)
  return whole > 0 ? `${path}?t=${whole}` : path
}

/** The place that an address's `?t=` asks for; none when the video is over by then. */
export function startSecondsOf(search: string, durationSeconds: number): number | undefined {
  const seconds = parseTimeParameter(new URLSearchParams(search).get('t'))
  return seconds !== undefined && seconds < durationSeconds ? seconds : undefined
}
