/** A named part of a video, from `start` up to `end` seconds. */
export type Chapter = { title: string; start: number; end: number }

const MIN_CHAPTERS = 2
const CLOCK = String.raw`[(\[]?(?<clock>(?:\d{1,2}:[0-5]?\d|\d{1,3}):[0-5]\d)[)\]]?`
const BEFORE = new RegExp(String.raw`^\s*(?:[-*•▶►]\s*)?${CLOCK}[\s\-–—:|.)]+(?<title>\S.*)$`)
const AFTER = new RegExp(String.raw`^\s*(?<title>\S.*?)[\s\-–—:|(]+${CLOCK}\s*$`)

/** Credits say where a part is from. */
const LINK = /\s+https?:\/\/\S+$/

/**
 * The chapters that a description lists, one to a line as '0:00 Title' or 'Title - 0:00'. The list
 * counts when it begins at 0:00 and goes forward.
 */
export function parseChapters(description: string, durationSeconds: number): Chapter[] {
  const starts = description.split('\n').flatMap(toStart)
  if (starts.length < MIN_CHAPTERS || starts[0]?.start !== 0) return []
  const isForward = starts.every(({ start }, index) => start > (starts[index - 1]?.start ?? -1))
  if (!isForward) return []
  const inside = starts.filter(({ start }) => start < durationSeconds)
  if (inside.length < MIN_CHAPTERS) return []
  return inside.map((chapter, index) => ({
    ...chapter,
    end: inside[index + 1]?.start ?? durationSeconds,
  }))
}

export function chapterAt(chapters: readonly Chapter[], seconds: number): Chapter | undefined {
  return chapters.findLast(({ start }) => start <= seconds)
}

function toStart(line: string): { title: string; start: number }[] {
  const groups = (BEFORE.exec(line) ?? AFTER.exec(line))?.groups
  const title = groups?.title?.replace(LINK, '').trim()
  if (!groups?.clock || !title) return []
  const start = groups.clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return [{ title, start }]
}
