import type { Category } from '#shared/limits.ts'
import type { RecordingName } from '#shared/recording-name.ts'

type Suggested = { title: string; category: Category }

/** From the file name; undefined if already applied. */
export function suggestionOf(
  recognised: RecordingName | undefined,
  details: Suggested,
): Suggested | undefined {
  if (!recognised) return undefined
  const { title, category = details.category } = recognised
  const isTaken = details.title === title && details.category === category
  return isTaken ? undefined : { title, category }
}
