import type { Generated } from 'kysely'

/** Places in videos that may be worth looking at. */
export interface MomentsTable {
  id: Generated<number>
  videoId: number
  /** Who marked or forgot it, or added it with a timeline; null for what was found in the recording. */
  userId: number | null
  source: 'mark' | 'chapter' | 'loud' | 'scene' | 'forgotten'
  atSeconds: number
  /** Above 0, up to 1. */
  weight: number
  /** What the recorder called it. */
  title: string | null
  createdAt: string
}
