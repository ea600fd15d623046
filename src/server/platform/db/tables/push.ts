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
  /** The time at which the push service last accepted a message. */
  sentAt: string | null
}

/** A notification that waits to be sent to a browser. A trigger on `notifications` inserts it. */
export interface PushesTable {
  id: Generated<number>
  subscriptionId: number
  notificationId: number
  createdAt: string
  /** The message is not sent before this time. A node that sends it moves the time forward to keep other nodes from sending it. */
  nextAt: string
  attempts: Default<number>
  lastError: string | null
}

/** The hours in which a member gets no push messages. The messages are sent afterwards. */
export interface QuietHoursTable {
  userId: number
  /** Minutes since midnight. If `toMinute` is smaller, the period ends on the next day. */
  fromMinute: number
  toMinute: number
  /** IANA name, such as 'Europe/Berlin'. */
  timeZone: string
}
