/** A named part of a video, from `start` up to `end` seconds. */
export type Chapter = { title: string; start: number; end: number }

const MIN_CHAPTERS = 2
const CLOCK = String.raw`[(\[]?(?<clock>(?:\d{1,2}:[0-5]?\d|\d{1,3}):[0-5]\d)[)\]]?`
const BEFORE = new RegExp(String.raw`^\s*(?:[-*•▶►]\s*)?${CLOCK}[\s\-–—:|.)]+(?<title>\S.*)$`)
const AFTER = new RegExp(String.raw`^\s*(?<title>\S.*?)[\s\-–—:|(]+${CLOCK}\s*$`)

/** Credits say where a part is from. */
const LINK = /\s+https?:\/\/\S+$/

type Start = { title: string; start: number; isTimeFirst: boolean }

/**
 * The chapters that a description lists, one to a line as '0:00 Title' or 'Title - 0:00'. The list
 * counts when it begins at 0:00 and goes forward. Where it does not, lines that are written the other way round
 * than the one with 0:00, such as 'Recorded at 21:30', are taken for sentences and left out.
 */
export function parseChapters(description: string, durationSeconds: number): Chapter[] {
  const all = description.split('\n').flatMap(toStart)
  const first = all.find(({ start }) => start === 0)
  const starts = isList(all) ? all : all.filter((one) => one.isTimeFirst === first?.isTimeFirst)
  if (!isList(starts)) return []
  const inside = starts.filter(({ start }) => start < durationSeconds)
  if (inside.length < MIN_CHAPTERS) return []
  return inside.map(({ title, start }, index) => ({
    title,
    start,
    end: inside[index + 1]?.start ?? durationSeconds,
  }))
}

function isList(starts: Start[]): boolean {
  if (starts.length < MIN_CHAPTERS || starts[0]?.start !== 0) return false
  return starts.every(({ start }, index) => start > (starts[index - 1]?.start ?? -1))
}

export function chapterAt(chapters: readonly Chapter[], seconds: number): Chapter | undefined {
  return chapters.findLast(({ start }) => start <= seconds)
}

function toStart(line: string): Start[] {
  const before = BEFORE.exec(line)
  const groups = (before ?? AFTER.exec(line))?.groups
  const title = groups?.title?.replace(LINK, '').trim()
  if (!groups?.clock || !title) return []
  const start = groups.clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return [{ title, start, isTimeFirst: before !== null }]
}
