import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** A machine that prepares videos for the site. */
export interface WorkersTable {
  id: Generated<number>
  name: string
  /** SHA-256 of what it signs in with. */
  tokenHash: string
  createdBy: number | null
  createdAt: string
  lastSeenAt: string | null
  /** Version of its program in its last report. */
  version: string | null
  encoder: string | null
  /** Since when it is given no further jobs. */
  drainedAt: string | null
  jobsDone: Default<number>
  jobsFailed: Default<number>
  /** Results that were refused since the last one that was not. */
  refusals: Default<number>
  lastError: string | null
  lastErrorAt: string | null
}
