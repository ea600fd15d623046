import type { ReactionKind } from '#shared/reactions.ts'
import type { Default } from './column.ts'

export interface VideoReactionsTable {
  videoId: number
  userId: number
  second: number
  kind: ReactionKind
}

/** A row counts the reactions of one bucket; `second` is the first second of the bucket. */
export type ReactionCountsTable = Record<ReactionKind, Default<number>> & {
  videoId: number
  second: number
}
