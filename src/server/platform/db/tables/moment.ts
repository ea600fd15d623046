import type { Generated } from 'kysely'

export interface MomentsTable {
  id: Generated<number>
  videoId: number
  /** Null if found in the recording. */
  userId: number | null
  source: 'mark' | 'chapter' | 'loud' | 'scene' | 'forgotten'
  atSeconds: number
  /** Above 0, up to 1. */
  weight: number
  title: string | null
  createdAt: string
}
