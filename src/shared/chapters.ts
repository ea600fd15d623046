/** `start` and `end` are in seconds. */
export type Chapter = { title: string; start: number; end: number }

const MIN_CHAPTERS = 2
const CLOCK = String.raw`[(\[]?(?<clock>(?:\d{1,2}:[0-5]?\d|\d{1,3}):[0-5]\d)[)\]]?`
const BEFORE = new RegExp(String.raw`^\s*(?:[-*•▶►]\s*)?${CLOCK}[\s\-–—:|.)]+(?<title>\S.*)$`)
const AFTER = new RegExp(String.raw`^\s*(?<title>\S.*?)(?<between>[\s\-–—:|(]+)${CLOCK}\s*$`)
/** A sentence that ends in a time has a space or colon before it instead. */
const SEPARATOR = /[-–—|(]/

/** Credits link to the source of a part of the video. */
const LINK = /\s+https?:\/\/\S+$/

type Start = { title: string; start: number; isTimeFirst: boolean; isSeparated: boolean }

/**
 * Reads lines such as '0:00 Title' or 'Title - 0:00', beginning with the one at 0:00. Lines in the
 * other format, such as 'Recorded at 21:30', and earlier times are ignored.
 */
export function parseChapters(description: string, durationSeconds: number): Chapter[] {
  const all = description.split('\n').flatMap(toStart)
  const first = all.findIndex(({ start }) => start === 0)
  if (first < 0) return []
  const { isTimeFirst } = all[first] as Start
  const listed = all
    .slice(first)
    .filter((one) => one.isTimeFirst === isTimeFirst || one.isSeparated)
  const alike = listed.filter((one) => one.isTimeFirst === isTimeFirst)
  const starts = goesForward(listed) ? listed : withoutSteppingBack(alike)
  const inside = starts.filter(({ start }) => start < durationSeconds)
  if (inside.length < MIN_CHAPTERS) return []
  return inside.map(({ title, start }, index) => ({
    title,
    start,
    end: inside[index + 1]?.start ?? durationSeconds,
  }))
}

const goesForward = (starts: Start[]) => withoutSteppingBack(starts).length === starts.length

function withoutSteppingBack(starts: Start[]): Start[] {
  let latest = -1
  return starts.filter(({ start }) => {
    if (start <= latest) return false
    latest = start
    return true
  })
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
  const isSeparated = SEPARATOR.test(groups.between ?? '')
  return [{ title, start, isTimeFirst: before !== null, isSeparated }]
}
