import type { Default, Flag } from './column.ts'

/** Also previous recordings that can be brought back. */
export interface CutsTable {
  /** The new recording; after a replacement, the previous one. */
  videoId: number
  /** Null when the cut video was deleted. */
  sourceVideoId: number | null
  replaces: Flag
  /** A JSON array of `fromSeconds` and `toSeconds`. */
  parts: string
  /** The recording that the times apply to. */
  sourceMediaKey: Default<string>
  /** JSON of description and clips, to undo the cut. */
  before: string | null
  /** When the previous recording was set aside. */
  parkedAt: string | null
  createdAt: string
}
