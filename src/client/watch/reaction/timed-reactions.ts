import { decodeCounts, REACTION_KINDS, type ReactionKind } from '#shared/reactions.ts'
import type { Reactions } from '#shared/schemas/reaction.schemas.ts'

/** Each part of the video has one count per kind, in the order of `REACTION_KINDS`. */
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

/** Returns at most `most` kinds, in proportion to their counts. */
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

const FLOATS_PER_PART = 4

export type PlannedFloat = { atSeconds: number; kind: ReactionKind }

/**
 * Returns a few reactions of a part, spread evenly from its start to its end. The exact second of a
 * reaction within its part is not known.
 */
export function planFloats({ bucketSeconds, parts }: TimedReactions, at: number): PlannedFloat[] {
  const kinds = pickKinds(parts.get(at) ?? [], FLOATS_PER_PART)
  return kinds.map((kind, index) => ({
    atSeconds: (at + (index + 0.5) / kinds.length) * bucketSeconds,
    kind,
  }))
}

const MARK_SLOTS = 50
const MARKS_MAX = 16
/** A place needs this fraction of the reactions that the most popular place has. */
const LEAST_SHARE = 0.25

export type ReactionMark = { share: number; kind: ReactionKind }

/** Returns the places of a range with the most reactions, each with its most frequent kind. */
export function findReactionMarks(
  { bucketSeconds, parts }: TimedReactions,
  range: { start: number; end: number },
): ReactionMark[] {
  const durationSeconds = range.end - range.start
  if (durationSeconds <= 0) return []
  const slots = new Map<number, number[]>()
  for (const [at, part] of parts) {
    const seconds = at * bucketSeconds - range.start
    if (seconds < 0) continue
    const slot = Math.floor((seconds * MARK_SLOTS) / durationSeconds)
    if (slot >= MARK_SLOTS) continue
    const sums = slots.get(slot) ?? REACTION_KINDS.map(() => 0)
    slots.set(
      slot,
      sums.map((sum, index) => sum + (part[index] ?? 0)),
    )
  }
  const found = [...slots].map(([slot, sums]) => {
    const total = sums.reduce((sum, count) => sum + count, 0)
    const kind = REACTION_KINDS[sums.indexOf(Math.max(...sums))] ?? 'fire'
    // Among places with equal totals, those that are kept are spread over the whole video.
    const turn = (slot * 19) % MARK_SLOTS
    return { share: (slot + 0.5) / MARK_SLOTS, kind, total, turn }
  })
  const most = Math.max(0, ...found.map(({ total }) => total))
  return found
    .filter(({ total }) => total >= most * LEAST_SHARE)
    .sort((a, b) => b.total - a.total || a.turn - b.turn)
    .slice(0, MARKS_MAX)
    .map(({ share, kind }) => ({ share, kind }))
}
