import { decodeCounts, encodeCounts, type ReactionKind } from '#shared/reactions.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'

/** Returns the counts with one reaction added. */
export function withReaction(
  { bucketSeconds, counts }: Reactions,
  kind: ReactionKind,
  second: number,
): Reactions {
  const at = Math.floor(second / bucketSeconds)
  const before = decodeCounts(counts[kind] ?? '')
  const after = Array.from(
    { length: Math.max(before.length, at + 1) },
    (_, index) => (before[index] ?? 0) + Number(index === at),
  )
  return { bucketSeconds, counts: { ...counts, [kind]: encodeCounts(after) } }
}
