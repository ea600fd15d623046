import type { CutPart } from './schemas/cut.schemas.ts'

const CUE = /^(\d+:)?(\d{2}):(\d{2})\.(\d{3}) --> (\d+:)?(\d{2}):(\d{2})\.(\d{3})(.*)$/
/** Shorter remains are dropped. */
const SHORTEST_SECONDS = 0.05

/** Expects cues only. @returns null when none is left */
export function cutCaptions(text: string, parts: readonly CutPart[]): string | null {
  const cues = text.split(/\n{2,}/).flatMap((block) => cutCue(block, parts))
  if (cues.length === 0) return null
  const sorted = cues.sort((one, other) => one.start - other.start)
  return `WEBVTT\n\n${sorted.map(({ text }) => text).join('\n\n')}\n`
}

/** A cue across a dropped part appears on both sides. */
function cutCue(block: string, parts: readonly CutPart[]): { start: number; text: string }[] {
  const [first = '', ...words] = block.split('\n')
  const match = CUE.exec(first)
  if (!match) return []
  const start = readTime(match.slice(1, 5))
  const end = readTime(match.slice(5, 9))
  let before = 0
  return parts.flatMap(({ fromSeconds, toSeconds }) => {
    const shift = before - fromSeconds
    before += toSeconds - fromSeconds
    const from = Math.max(start, fromSeconds)
    const to = Math.min(end, toSeconds)
    if (to - from < SHORTEST_SECONDS) return []
    const times = `${writeTime(from + shift)} --> ${writeTime(to + shift)}${match[9]}`
    return [{ start: from + shift, text: [times, ...words].join('\n').trimEnd() }]
  })
}

function readTime([hours, minutes, seconds, thousandths]: (string | undefined)[]): number {
  const whole = Number.parseInt(hours ?? '0', 10) * 3600 + Number(minutes) * 60 + Number(seconds)
  return whole + Number(thousandths) / 1000
}

export function writeTime(time: number): string {
  const thousandths = Math.round(time * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(thousandths / 3_600_000)
  const minutes = Math.floor(thousandths / 60_000) % 60
  const seconds = Math.floor(thousandths / 1000) % 60
  const rest = String(thousandths % 1000).padStart(3, '0')
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${rest}`
}
