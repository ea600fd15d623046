import { TITLE_MAX, TITLE_MIN } from '#shared/limits.ts'
import type { Moment, MomentSource } from '#shared/schemas/moment.schemas.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { upperFirst } from '#shared/text/first-letter.ts'
import { formatDuration } from '#shared/text/format.ts'

const WORDS: Record<MomentSource, string> = {
  mark: 'marked by viewers',
  comment: 'named in a comment',
  reaction: 'viewers reacted',
  heat: 'watched most',
  chapter: 'marked while recording',
  loud: 'louder than usual',
  scene: 'new scene',
}

/** Around the peak. */
const BEFORE_SECONDS = 10
const AFTER_SECONDS = 5

export type Range = { startSeconds: number; endSeconds: number }

/** For playback and clip. */
export function rangeOf({ peakSeconds }: Moment, durationSeconds: number): Range {
  const endSeconds = Math.min(peakSeconds + AFTER_SECONDS, durationSeconds)
  const startSeconds = Math.max(0, endSeconds - BEFORE_SECONDS - AFTER_SECONDS)
  return { startSeconds, endSeconds }
}

/** 'Ace: marked while recording, louder than usual'. */
export function reasonOf({ title, sources, count }: Moment): string {
  const marked = count === 1 ? 'marked by 1 viewer' : `marked by ${count} viewers`
  const words = sources.map((source) => (source === 'mark' ? marked : WORDS[source])).join(', ')
  return title ? `${title}: ${words}` : upperFirst(words)
}

/** Recorder's title, or the video's with the time. */
export function clipTitleOf({ title, peakSeconds }: Moment, videoTitle: string): string {
  if (title && title.length >= TITLE_MIN) return cutText(title, TITLE_MAX)
  const time = ` at ${formatDuration(peakSeconds)}`
  return cutText(videoTitle, TITLE_MAX - time.length) + time
}
