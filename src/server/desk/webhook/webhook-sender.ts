import { Webhook as Signer } from 'standardwebhooks'
import type { Config } from '#server/platform/config.ts'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import {
  createOutbox,
  joinOutboxes,
  type Outbox,
  type OutboxLog,
} from '#server/platform/outbox/outbox.ts'
import {
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
} from '#server/platform/outgoing/outgoing.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { createChatPoster } from './chat-poster.ts'
import { type DeliveryRow, findDueDelivery, updateDelivery } from './delivery.queries.ts'
import { postMessage } from './discord.ts'
import { WAITS_MS } from './waits.ts'
import { findWebhook, noteFailure, noteSuccess, type WebhookRow } from './webhook.queries.ts'
import { composeMessage } from './webhook-message.ts'

const TIMEOUT_MS = 15_000
const LEASE_MS = 4 * TIMEOUT_MS
const POLL_MS = 2000
const LANES = 4
const ANSWER_BYTES = 1024
const DAY_MS = 86_400_000

const GONE = 410

export type Sent = Pick<DeliveryRow, 'status' | 'ms' | 'answer'> & {
  /** Null if the message arrived. */
  error: string | null
}

export type WebhookSender = Outbox & {
  /** Sends a message once. It is written to the log of deliveries. */
  sendNow: (
    delivery: Pick<DeliveryRow, 'id' | 'messageId' | 'kind' | 'data' | 'createdAt'>,
    webhook: WebhookRow,
  ) => Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    /** Undefined on a site without `PUBLIC_URL`. */
    webhooks: WebhookSender | undefined
  }
}

type Deps = {
  config: Pick<Config, 'publicUrl'>
  db: Database
  media: MediaStore
  outgoing: Outgoing
  log: OutboxLog
  deadline: AbortSignal
}

export function createWebhookSender({ config, ...deps }: Deps): WebhookSender | undefined {
  const { publicUrl } = config
  return publicUrl === undefined ? undefined : openSender({ ...deps, origin: publicUrl })
}

function openSender(deps: Omit<Deps, 'config'> & { origin: string }): WebhookSender {
  const { db, log, deadline, origin } = deps

  async function attempt(delivery: DeliveryRow): Promise<boolean> {
    const webhook = await findWebhook(db, delivery.webhookId)
    if (!webhook) return true
    const body = await composeMessage({ db, origin }, delivery)
    if (!body) {
      const change = { state: 'dropped', nextAt: null } as const
      await writeQuietly(db, (transaction) =>
        updateDelivery(transaction, { id: delivery.id, change }),
      )
      return true
    }
    const sent = await send(deps, { delivery, webhook, body })
    await settle(delivery, sent)
    return true
  }

  async function settle(delivery: DeliveryRow, sent: Sent): Promise<void> {
    const { id, webhookId, attempts, createdAt } = delivery
    const waitMs = WAITS_MS[attempts]
    const now = Date.now()
    const mayWait = waitMs !== undefined && Date.parse(createdAt) + DAY_MS > now
    const nextAt = sent.error !== null && mayWait ? timestamp(new Date(now + waitMs)) : null
    const undelivered = nextAt === null ? ('failed' as const) : ('waiting' as const)
    const isPaused = await writeQuietly(db, async (transaction) => {
      const { error, ...facts } = sent
      const change = {
        state: error === null ? ('delivered' as const) : undelivered,
        ...{ ...facts, nextAt, lastError: error, attemptedAt: timestamp(new Date(now)) },
      }
      await updateDelivery(transaction, { id, change })
      if (error === null) {
        await noteSuccess(transaction, webhookId)
        return false
      }
      return noteFailure(transaction, { id: webhookId, error, pauses: sent.status === GONE })
    })
    const facts = { webhook: webhookId, kind: delivery.kind, reason: sent.error }
    if (isPaused) log.warn(facts, 'a webhook is paused after too many failures')
    else if (sent.error !== null && undelivered === 'failed')
      log.warn(facts, 'a webhook message was given up')
  }

  const deliveries = createOutbox({
    ...({ db, log, deadline, table: 'webhookDeliveries', noun: 'webhook messages' } as const),
    ...{ leaseMs: LEASE_MS, pollMs: POLL_MS, lanes: LANES },
    ...{ findDue: findDueDelivery, attempt, laneOf: ({ webhookId }: DeliveryRow) => webhookId },
  })

  return {
    ...joinOutboxes([deliveries, createChatPoster(deps)]),
    async sendNow(delivery, webhook) {
      const { error, ...facts } = await (webhook.format === 'discord'
        ? sendTestToChat(deps, webhook)
        : send(deps, {
            ...{ delivery, webhook },
            body: (await composeMessage({ db, origin }, delivery)) ?? {},
          }))
      const state = error === null ? ('delivered' as const) : ('failed' as const)
      const change = { ...facts, state, lastError: error, attemptedAt: timestamp(), attempts: 1 }
      await updateDelivery(db, { id: delivery.id, change })
    },
  }
}

type Given = Pick<Deps, 'outgoing' | 'deadline'>

async function send(
  { outgoing, deadline: signal }: Given,
  input: {
    delivery: Pick<DeliveryRow, 'messageId' | 'kind' | 'createdAt'>
    webhook: WebhookRow
    body: object
  },
): Promise<Sent> {
  const { delivery, webhook, body } = input
  const { messageId, kind, createdAt } = delivery
  const { url } = webhook
  const text = JSON.stringify({ type: kind, timestamp: createdAt, data: body })
  return measure({ url, signal }, () =>
    outgoing({
      ...{ url, method: 'POST', body: text, signal },
      headers: { 'content-type': 'application/json', ...sign(webhook, { messageId, text }) },
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_BYTES, cutsAnswer: true },
    }),
  )
}

async function sendTestToChat(
  { db, outgoing, deadline: signal }: Given & Pick<Deps, 'db'>,
  { url }: Pick<WebhookRow, 'url'>,
): Promise<Sent> {
  const { name } = await findSiteSettings(db)
  const content = `A test from ${name}.`
  return measure({ url, signal }, () => postMessage({ outgoing, url, signal }, { content }))
}

/** @throws if the server is stopping */
async function measure(
  { url, signal }: { url: string; signal: AbortSignal },
  ask: () => Promise<Pick<OutgoingAnswer, 'status' | 'body'>>,
): Promise<Sent> {
  const began = performance.now()
  const msSince = () => Math.round(performance.now() - began)
  try {
    const { status, body } = await ask()
    const isTaken = status >= 200 && status < 300
    const error = isTaken ? null : `${new URL(url).host} answered with status ${status}.`
    return { status, ms: msSince(), answer: showBytes(body), error }
  } catch (error) {
    if (signal.aborted || !(error instanceof OutgoingError)) throw error
    return { status: null, ms: msSince(), answer: null, error: error.message }
  }
}

/** See https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. */
export function sign(
  {
    secret,
    previousSecret,
    renewedAt,
  }: Pick<WebhookRow, 'secret' | 'previousSecret' | 'renewedAt'>,
  { messageId, text, now = new Date() }: { messageId: string; text: string; now?: Date },
): Record<string, string> {
  const isRenewed = renewedAt !== null && Date.parse(renewedAt) + DAY_MS > now.getTime()
  const secrets = [secret, isRenewed ? previousSecret : null].filter((one) => one !== null)
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Signer(one).sign(messageId, now, text)).join(' '),
  }
}

/** Replaces what is not text, which PostgreSQL and the page cannot show. */
function showBytes(bytes: Buffer): string {
  return cutText(bytes.toString('utf8').replaceAll(/[^\P{C}\n\t]/gu, '�'), ANSWER_BYTES)
}
