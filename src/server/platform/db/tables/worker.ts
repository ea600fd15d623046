import type { Generated } from 'kysely'
import type { Default } from './column.ts'

export interface WorkersTable {
  id: Generated<number>
  name: string
  /** SHA-256. */
  tokenHash: string
  createdBy: number | null
  createdAt: string
  lastSeenAt: string | null
  /** At its last report. */
  version: string | null
  encoder: string | null
  drainedAt: string | null
  jobsDone: Default<number>
  jobsFailed: Default<number>
  /** Since the last accepted result. */
  refusals: Default<number>
  lastError: string | null
  lastErrorAt: string | null
}
