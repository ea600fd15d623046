import type { Generated } from 'kysely'
import type { Default } from './column.ts'

export interface WorkersTable {
  id: Generated<number>
  name: string
  /** Of its access token. */
  tokenHash: string
  createdBy: number | null
  createdAt: string
  lastSeenAt: string | null
  /** Of its program, at its last report. */
  version: string | null
  encoder: string | null
  /** When it stopped getting new jobs. */
  drainedAt: string | null
  jobsDone: Default<number>
  jobsFailed: Default<number>
  /** Refused results since the last accepted one. */
  refusals: Default<number>
  lastError: string | null
  lastErrorAt: string | null
}
