import { decodeCounts, REACTION_KINDS, type ReactionKind } from '#shared/reactions.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'

/** Of each kind, in the order of the kinds, per part of the video. */
export type TimedReactions = { bucketSeconds: number; parts: ReadonlyMap<number, number[]> }

export function timeReactions({ bucketSeconds, counts }: Reactions): TimedReactions {
  const parts = new Map<number, number[]>()
  for (const [index, kind] of REACTION_KINDS.entries()) {
    for (const [at, count] of decodeCounts(counts[kind] ?? '').entries()) {
      if (count === 0) continue
      const part = parts.get(at) ?? REACTION_KINDS.map(() => 0)
      part[index] = count
      parts.set(at, part)
    }
  }
  return { bucketSeconds, parts }
}

/** At most so many, in proportion to the counts. */
export function pickKinds(part: readonly number[], most: number): ReactionKind[] {
  const all = REACTION_KINDS.flatMap((kind, index) =>
    new Array<ReactionKind>(part[index] ?? 0).fill(kind),
  )
  const count = Math.min(most, all.length)
  return Array.from({ length: count }, (_, index) => {
    const kind = all[Math.floor(((index + 0.5) * all.length) / count)]
    return kind ?? 'fire'
  })
}

const MARK_SLOTS = 50
const MARKS_MAX = 16
/** Of the most reactions in one place. */
const LEAST_SHARE = 0.25

export type ReactionMark = { share: number; kind: ReactionKind }

/** Where there are most, with the kind that leads there. */
export function findReactionMarks(
  { bucketSeconds, parts }: TimedReactions,
  durationSeconds: number,
): ReactionMark[] {
  if (durationSeconds <= 0) return []
  const slots = new Map<number, number[]>()
  for (const [at, part] of parts) {
    const slot = Math.floor((at * bucketSeconds * MARK_SLOTS) / durationSeconds)
    const sums = slots.get(slot) ?? REACTION_KINDS.map(() => 0)
    slots.set(
      slot,
      sums.map((sum, index) => sum + (part[index] ?? 0)),
    )
  }
  const found = [...slots].map(([slot, sums]) => {
    const total = sums.reduce((sum, count) => sum + count, 0)
    const kind = REACTION_KINDS[sums.indexOf(Math.max(...sums))] ?? 'fire'
    // Of equal ones some from everywhere.
    const turn = (slot * 19) % MARK_SLOTS
    return { share: (slot + 0.5) / MARK_SLOTS, kind, total, turn }
  })
  const most = Math.max(0, ...found.map(({ total }) => total))
  return found
    .filter(({ total, share }) => total >= most * LEAST_SHARE && share < 1)
    .sort((a, b) => b.total - a.total || a.turn - b.turn)
    .slice(0, MARKS_MAX)
    .map(({ share, kind }) => ({ share, kind }))
}
