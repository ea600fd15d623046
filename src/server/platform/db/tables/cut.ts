import type { Default, Flag } from './column.ts'

/** Where a recording comes from that is cut out of another one, and where that one waits afterwards. */
export interface CutsTable {
  /** The row that the new recording comes in; once it replaced the other, that of the other, which nobody sees. */
  videoId: number
  /** The video that is cut; null when it was deleted. */
  sourceVideoId: number | null
  /** The result takes the place of what it is cut from. */
  replaces: Flag
  /** What is kept: a JSON array of `fromSeconds` and `toSeconds`. */
  parts: string
  /** The folder of the recording that is cut: another one has other times. */
  sourceMediaKey: Default<string>
  /** What the description and the clips said before their times moved, as JSON: for the way back. */
  before: string | null
  /** Since when the other recording can be brought back. */
  parkedAt: string | null
  createdAt: string
}
