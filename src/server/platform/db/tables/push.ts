import type { Generated } from 'kysely'
import type { Default } from './column.ts'

/** A browser that gets notifications by Web Push, until its session ends. */
export interface PushSubscriptionsTable {
  id: Generated<number>
  userId: number
  sessionId: string
  /** An address of the push service that is known only to the browser and the site. */
  endpoint: string
  /** The browser's public key and secret, in base64url (RFC 8291). */
  p256dh: string
  auth: string
  userAgent: string | null
  createdAt: string
  /** When the push service last accepted a message. */
  sentAt: string | null
}

/** A notification to be sent to a browser. A trigger on `notifications` inserts it. */
export interface PushesTable {
  id: Generated<number>
  subscriptionId: number
  notificationId: number
  createdAt: string
  /** The message is not sent before this time. While a node sends it, other nodes leave it alone until this time. */
  nextAt: string
  attempts: Default<number>
  lastError: string | null
}

/** When a member gets no push messages; they are sent afterwards. */
export interface QuietHoursTable {
  userId: number
  /** Minutes since midnight. If `toMinute` is smaller, the period ends on the next day. */
  fromMinute: number
  toMinute: number
  /** IANA name, such as 'Europe/Berlin'. */
  timeZone: string
}
