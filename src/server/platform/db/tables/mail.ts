import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** Email that is not sent yet. The text is written when it is sent. */
export interface MailsTable {
  id: Generated<number>
  kind: string
  /** Null if the member is looked up when the email is written, see `account/member/reset-letter.ts`. */
  userId: number | null
  /** JSON, with a schema for each kind. */
  data: string
  createdAt: string
  /** The email is not sent before this time. While a node sends it, other nodes leave it alone until this time. */
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

/** Members who want a summary of their notifications by email. */
export interface DigestsTable {
  userId: number
  every: 'day' | 'week'
  nextAt: string
  /** The newest notification that the last summary could contain. */
  lastId: number
}
