import {
  decodeCounts,
  encodeCounts,
  REACTIONS_TOLD_MAX,
  type ReactionKind,
} from '#shared/reactions.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'

/** Returns the counts with one reaction added, or taken out. */
export function withReaction(
  { bucketSeconds, counts }: Reactions,
  kind: ReactionKind,
  second: number,
  by: 1 | -1 = 1,
): Reactions {
  const at = Math.floor(second / bucketSeconds)
  const before = decodeCounts(counts[kind] ?? '')
  const after = Array.from({ length: Math.max(before.length, at + 1) }, (_, index) =>
    index === at ? changed(before[index] ?? 0, by) : (before[index] ?? 0),
  )
  return { bucketSeconds, counts: { ...counts, [kind]: encodeCounts(after) } }
}

/** The highest count may stand for more, so one less is not known. */
const changed = (count: number, by: 1 | -1) =>
  count === REACTIONS_TOLD_MAX ? count : Math.max(0, count + by)
