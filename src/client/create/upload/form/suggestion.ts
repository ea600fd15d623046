import type { RecordingName } from '#shared/recording-name.ts'
import type { VideoFieldValues } from './video-fields.tsx'

type Suggested = Pick<VideoFieldValues, 'title' | 'category'>

/** Game and time as the file's name has them, unless the details say that already. */
export function suggestionOf(
  recognised: RecordingName | undefined,
  details: Suggested,
): Suggested | undefined {
  if (!recognised) return undefined
  const { title, category = details.category } = recognised
  const isTaken = details.title === title && details.category === category
  return isTaken ? undefined : { title, category }
}
