import type { Default, Flag } from './column.ts'

/** Recordings that are cut from others, and previous recordings that can be brought back. */
export interface CutsTable {
  /** The row of the new recording; after a replacement, the hidden row of the previous recording. */
  videoId: number
  /** Null when the cut video was deleted. */
  sourceVideoId: number | null
  /** The result replaces the video that is cut. */
  replaces: Flag
  /** Ranges to keep: a JSON array of `fromSeconds` and `toSeconds`. */
  parts: string
  /** Folder of the recording that is cut; the times do not apply to another one. */
  sourceMediaKey: Default<string>
  /** Description and clips before their times moved, as JSON, to undo the cut. */
  before: string | null
  /** When the previous recording was set aside. */
  parkedAt: string | null
  createdAt: string
}
