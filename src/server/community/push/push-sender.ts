/**
 * Sends waiting notifications to browsers. A row names a notification; the message is written when it is sent. See
 * docs/decisions/0086-web-push-and-service-worker.md.
 */
import { createHash } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { createOutbox, type Outbox, type OutboxLog } from '#server/platform/outbox/outbox.ts'
import { type Outgoing, OutgoingError } from '#server/platform/outgoing/outgoing.ts'
import { isListedHost } from '#shared/local-host.ts'
import { isPushService, type PushMessage } from '#shared/push.ts'
import { minutesOfQuiet } from '#shared/quiet-hours.ts'
import {
  claimOthers,
  deleteBrowser,
  deletePushes,
  deletePushesTo,
  findDuePush,
  noteSent,
  type PushRow,
  postponePushes,
} from './push.queries.ts'
import { canEncryptFor } from './push-keys.ts'
import { composeMessage } from './push-message.ts'
import {
  findLiveSubscription,
  findQuietHours,
  type SubscriptionRow,
} from './push-subscription.queries.ts'
import { findVapidKeys } from './vapid-keys.queries.ts'

const MINUTE_MS = 60_000
const TIMEOUT_MS = 10_000
const LEASE_MS = 6 * TIMEOUT_MS
const POLL_MS = 2000
const LANES = 8
const ANSWER_BYTES = 1024
/** How long the push service keeps a message for a browser that is offline. */
const TTL_SECONDS = 86_400
const TOPIC_LENGTH = 32
/** Pause after each failure. */
const WAITS_MS: readonly number[] = [0.5, 5, 30, 120].map((minutes) => minutes * MINUTE_MS)
/** Statuses with which a push service reports that the browser has unsubscribed. */
const GONE = [404, 410]

type Browser = Pick<SubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>

/** After `gone`, the browser gets no more messages. After `failed`, the message is sent again later. */
type Sent = { outcome: 'taken' } | { outcome: 'gone' } | { outcome: 'failed'; error: string }

export type PushSender = Outbox & {
  sendNow: (browser: Browser, message: PushMessage) => Promise<Sent>
}

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    push: PushSender
  }
}

type Deps = {
  config: Pick<Config, 'publicUrl' | 'mail' | 'pushServices'>
  db: Database
  outgoing: Outgoing
  log: OutboxLog
  deadline: AbortSignal
}

export function createPushSender(deps: Deps): PushSender {
  const { db, log, deadline } = deps

  async function attempt(push: PushRow): Promise<boolean> {
    const { id, subscriptionId, attempts } = push
    const browser = await findLiveSubscription(db, subscriptionId)
    if (!browser) {
      await deletePushesTo(db, subscriptionId)
      return true
    }
    const { userId, username, displayName } = browser
    const until = timestamp(new Date(Date.now() + LEASE_MS))
    const waiting = [push, ...(await claimOthers(db, { subscriptionId, until }))]
    const ids = waiting.map((row) => row.id)
    const quietUntil = await findEndOfQuiet(db, userId)
    if (quietUntil) {
      await postponePushes(db, { ids, nextAt: quietUntil, attempts: 0 })
      return true
    }
    const viewer = { id: userId, username, displayName, isAdmin: browser.isAdmin === 1 }
    const notificationIds = waiting.map((row) => row.notificationId)
    const message = await composeMessage(db, { viewer, notificationIds })
    if (!message) {
      await deletePushes(db, ids)
      return true
    }
    const sent = await send(deps, { browser, message })
    if (sent.outcome === 'taken') {
      await deletePushes(db, ids)
      await noteSent(db, subscriptionId)
    } else if (sent.outcome === 'gone') {
      await deleteBrowser(db, subscriptionId)
    } else {
      await settleFailure({ id, ids, attempts, error: sent.error })
    }
    return true
  }

  async function settleFailure(input: {
    id: number
    ids: number[]
    attempts: number
    error: string
  }): Promise<void> {
    const { id, ids, attempts, error } = input
    const waitMs = WAITS_MS[attempts]
    if (waitMs === undefined) {
      await deletePushes(db, ids)
      log.warn({ push: id, reason: error }, 'a push message was given up')
      return
    }
    const nextAt = timestamp(new Date(Date.now() + waitMs))
    await postponePushes(db, { ids, nextAt, lastError: error })
  }

  return {
    ...createOutbox({
      ...({ db, log, deadline, table: 'pushes', noun: 'push messages' } as const),
      ...{ leaseMs: LEASE_MS, pollMs: POLL_MS, lanes: LANES },
      ...{ findDue: findDuePush, attempt, laneOf: ({ subscriptionId }: PushRow) => subscriptionId },
    }),
    sendNow: (browser, message) => send(deps, { browser, message }),
  }
}

async function findEndOfQuiet(db: Database, userId: number): Promise<string | undefined> {
  const hours = await findQuietHours(db, userId)
  const now = new Date()
  const minutes = hours && minutesOfQuiet(hours, now)
  if (minutes === undefined) return undefined
  return timestamp(new Date(now.getTime() + minutes * MINUTE_MS - (now.getTime() % MINUTE_MS)))
}

/** @throws if the server is stopping */
async function send(
  { config, db, outgoing, deadline: signal }: Deps,
  { browser, message }: { browser: Browser; message: PushMessage },
): Promise<Sent> {
  const { endpoint, p256dh, auth } = browser
  const url = new URL(endpoint)
  const isPublicOnly = isPushService(url)
  // The operator may have removed the host from the list.
  if (!isPublicOnly && !isListedHost(config.pushServices, url)) return { outcome: 'gone' }
  const browserKeys = { p256dh, auth }
  // Invalid keys would fail at every attempt and delay other messages.
  if (!(await canEncryptFor(browserKeys))) return { outcome: 'gone' }
  const { generateRequestDetails } = (await import('web-push')).default
  const keys = await findVapidKeys(db)
  const topic = createHash('sha256').update(message.tag).digest('base64url').slice(0, TOPIC_LENGTH)
  const { headers, body } = generateRequestDetails(
    { endpoint, keys: browserKeys },
    JSON.stringify(message),
    {
      vapidDetails: { subject: subjectOf(config), ...keys },
      ...{ TTL: TTL_SECONDS, topic, urgency: 'normal' },
    },
  )
  const text = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])
  try {
    const { status } = await outgoing({
      ...{ url: endpoint, method: 'POST', body: body ?? '', signal, timeoutMs: TIMEOUT_MS },
      headers: Object.fromEntries(text),
      ...{ isPublicOnly, maxBytes: ANSWER_BYTES, cutsAnswer: true },
    })
    if (status >= 200 && status < 300) return { outcome: 'taken' }
    if (GONE.includes(status)) return { outcome: 'gone' }
    const error = `${url.host} answered with status ${status}.`
    return { outcome: 'failed', error }
  } catch (error) {
    if (signal.aborted || !(error instanceof OutgoingError)) throw error
    return { outcome: 'failed', error: error.message }
  }
}

/** Returns the contact of the site for push services (RFC 8292). Apple's service refuses unreachable addresses. */
function subjectOf({ publicUrl, mail }: Deps['config']): string {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return `mailto:${mail?.from.address ?? 'nobody@localhost'}`
}
