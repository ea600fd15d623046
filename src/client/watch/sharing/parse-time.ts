const CLOCK = /^(?:(\d{1,3}):)?(?:(\d{1,4}):)?(\d{1,6})$/

/** Seconds of '83', '1:23' or '1:02:03'; undefined for anything else. */
export function parseTime(text: string): number | undefined {
  const match = CLOCK.exec(text.trim())
  if (!match) return undefined
  const parts = match.slice(1).filter((part) => part !== undefined)
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0)
}
