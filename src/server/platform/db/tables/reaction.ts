import type { ReactionKind } from '#shared/reactions.ts'
import type { Default } from './column.ts'

export interface VideoReactionsTable {
  videoId: number
  userId: number
  second: number
  kind: ReactionKind
}

/** Of seconds counted together, by the first of them. */
export type ReactionCountsTable = Record<ReactionKind, Default<number>> & {
  videoId: number
  second: number
}
