import type { Category } from '#shared/limits.ts'
import type { RecordingName } from '#shared/recording-name.ts'

type Suggested = { title: string; category: Category }

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
