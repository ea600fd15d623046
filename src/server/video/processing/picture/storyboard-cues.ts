import { startReading } from '../text-reader.ts'

export type StoryboardCue = {
  fromSeconds: number
  untilSeconds: number
  sheet: string
  /** Pixels. */
  x: number
  y: number
  width: number
  height: number
}

const HEAD = /WEBVTT\n\n/y
const CUE =
  /(\d{2,3}:\d\d:\d\d\.\d{3}) --> (\d{2,3}:\d\d:\d\d\.\d{3})\n([\w.-]{1,100})#xywh=(\d{1,5}),(\d{1,5}),(\d{1,5}),(\d{1,5})\n/y
const BETWEEN = /\n/y
const END = /$/y

export function writeStoryboardCues(cues: StoryboardCue[]): string {
  const texts = cues.map(({ fromSeconds, untilSeconds, sheet, x, y, width, height }) => {
    const address = `${sheet}#xywh=${x},${y},${width},${height}`
    return `${vttTime(fromSeconds)} --> ${vttTime(untilSeconds)}\n${address}\n`
  })
  return `WEBVTT\n\n${texts.join('\n')}`
}

export function parseStoryboardCues(text: string): StoryboardCue[] | undefined {
  const read = startReading(text)
  if (!read(HEAD)) return undefined
  const cues: StoryboardCue[] = []
  do {
    const found = read(CUE)
    if (!found) return undefined
    const [, from = '', until = '', sheet = '', ...place] = found
    const [x = 0, y = 0, width = 0, height = 0] = place.map(Number)
    const times = { fromSeconds: readVttTime(from), untilSeconds: readVttTime(until) }
    cues.push({ ...times, sheet, x, y, width, height })
  } while (read(BETWEEN))
  return read(END) ? cues : undefined
}

function vttTime(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number) => `${Math.floor(value)}`.padStart(2, '0')
  const rest = `${ms % 1000}`.padStart(3, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${rest}`
}

function readVttTime(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}
