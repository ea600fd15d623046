import { TITLE_MAX, TITLE_MIN } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { formatDuration } from '#shared/text/format.ts'
import { chapterAt, parseChapters } from '../../player/core/chapters.ts'
import type { ClipRange } from './choose-range.ts'

/** Main chapter or video title, with the start time. */
export function suggestTitle(video: Video, { start, end }: ClipRange): string {
  const { title, description, duration } = video
  const chapter = chapterAt(parseChapters(description, duration), (start + end) / 2)?.title
  const name = chapter && chapter.length >= TITLE_MIN ? chapter : title
  const time = ` at ${formatDuration(start)}`
  return `${cutText(name, TITLE_MAX - time.length).trimEnd()}${time}`
}
