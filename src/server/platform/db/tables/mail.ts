import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** Email that is not sent yet. It has no text: that is written when it is sent. */
export interface MailsTable {
  id: Generated<number>
  kind: string
  /** Null where the address decides, see `account/member/reset-letter.ts`. */
  userId: number | null
  /** JSON, by kind. */
  data: string
  createdAt: string
  /** Not sent before this time; while it is being sent, another node may take it after this time. */
  nextAt: string
  attempts: Default<number>
  lastError: string | null
}

export interface EmailVerificationsTable {
  /** SHA-256 of the link's token, in hexadecimal. */
  tokenHash: string
  userId: number
  address: string
  expiresAt: string
}

/** Of members who want a summary of their notifications by email. */
export interface DigestsTable {
  userId: number
  every: 'day' | 'week'
  nextAt: string
  /** The notification up to which the last one went. */
  lastId: number
}
