import { randomBytes, randomUUID } from 'node:crypto'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { AuditAction } from '#shared/admin-limits.ts'
import type {
  CreateWebhook,
  Delivery,
  EditWebhook,
  Webhook,
} from '#shared/schemas/desk/webhook.schemas.ts'
import { WEBHOOKS_MAX, type WebhookKind } from '#shared/webhooks.ts'
import {
  type DeliveryRow,
  findDelivery,
  insertDelivery,
  listDeliveries,
  updateDelivery,
} from './delivery.queries.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from './webhook.queries.ts'
import type { WebhookSender } from './webhook-sender.ts'

const SECRET_BYTES = 32
const NO_ADDRESS =
  'Messages contain addresses of this site: set PUBLIC_URL to its outside address first.'

type Deps = Pick<Context, 'db' | 'webhooks'>
type Act = { id: number; viewer: Viewer }

export async function readWebhooks({ db, webhooks }: Deps) {
  return { items: (await listWebhooks(db)).map(toWebhook), isAvailable: webhooks !== undefined }
}

function toWebhook(row: WebhookRow & { waiting: number | null }): Webhook {
  const { id, name, pausedAt, lastError, createdAt } = row
  return {
    ...{ id, name, pausedAt, lastError, createdAt },
    address: row.url,
    isActive: row.isActive === 1,
    kinds: JSON.parse(row.kinds) as WebhookKind[],
    waiting: Number(row.waiting ?? 0),
  }
}

export async function readDeliveries(db: Database, id: number): Promise<Delivery[]> {
  await requireWebhook(db, id)
  return (await listDeliveries(db, id)).map(({ webhookId: _, data: __, ...shown }) => shown)
}

/** @throws `conflict` without `PUBLIC_URL` and beyond `WEBHOOKS_MAX` */
export async function createWebhook(
  deps: Deps,
  { viewer, kinds, ...fields }: CreateWebhook & { viewer: Viewer },
): Promise<{ id: number; secret: string }> {
  requireSender(deps)
  const secret = makeSecret()
  const id = await inTransaction(deps.db, async (transaction) => {
    if ((await countWebhooks(transaction)) >= WEBHOOKS_MAX) {
      throw new AppError('conflict', `A site has at most ${WEBHOOKS_MAX} webhooks.`)
    }
    const row = { ...fields, format: 'standard' as const, secret, kinds: JSON.stringify(kinds) }
    await log(transaction, { viewer, name: fields.name, action: 'webhook.create' })
    return insertWebhook(transaction, row)
  })
  return { id, secret }
}

/** An active webhook is no longer paused. */
export async function editWebhook(
  deps: Deps,
  { id, viewer, kinds, isActive, ...fields }: EditWebhook & { viewer: Viewer },
): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    const before = await requireWebhook(transaction, id)
    const change = {
      ...fields,
      ...(kinds && { kinds: JSON.stringify(kinds) }),
      ...(isActive !== undefined && { isActive: isActive ? (1 as const) : (0 as const) }),
      ...(isActive && { failures: 0, pausedAt: null }),
    }
    await updateWebhook(transaction, { id, change })
    const reason = Object.keys(change).join(', ')
    const name = fields.name ?? before.name
    await log(transaction, { viewer, name, action: 'webhook.edit', reason })
  })
  deps.webhooks?.wake()
}

/** Messages are signed with the old secret too, for a day. */
export async function renewSecret(
  { db }: Pick<Deps, 'db'>,
  { id, viewer }: Act,
): Promise<{ secret: string }> {
  const secret = makeSecret()
  await inTransaction(db, async (transaction) => {
    const { name, secret: previousSecret } = await requireWebhook(transaction, id)
    const change = { secret, previousSecret, renewedAt: timestamp() }
    await updateWebhook(transaction, { id, change })
    await log(transaction, { viewer, name, action: 'webhook.renew-secret' })
  })
  return { secret }
}

export async function removeWebhook({ db }: Pick<Deps, 'db'>, { id, viewer }: Act): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { name } = await requireWebhook(transaction, id)
    await deleteWebhook(transaction, id)
    await log(transaction, { viewer, name, action: 'webhook.delete' })
  })
}

/** Sends a message without the queue, to show the answer. */
export async function sendTest(deps: Deps, id: number): Promise<Delivery> {
  const sender = requireSender(deps)
  const webhook = await requireWebhook(deps.db, id)
  const messageId = `msg_${randomUUID().replaceAll('-', '')}`
  const message = { webhookId: id, messageId, kind: 'test', data: '{}', nextAt: null }
  const delivery = await requireDelivery(deps.db, await insertDelivery(deps.db, message))
  await sender.sendNow(delivery, webhook)
  const { webhookId: _, data: __, ...shown } = await requireDelivery(deps.db, delivery.id)
  return shown
}

/**
 * Sends a message again that was given up, delivered or dropped.
 * @throws `conflict` while it waits
 */
export async function sendAgain(deps: Deps, id: number): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    const { nextAt } = await requireDelivery(transaction, id)
    if (nextAt !== null) throw new AppError('conflict', 'This message is still to be sent.')
    const change = { state: 'waiting', nextAt: timestamp(), attempts: 0 } as const
    await updateDelivery(transaction, { id, change: { ...change, createdAt: timestamp() } })
  })
  deps.webhooks?.wake()
}

function requireSender({ webhooks }: Deps): WebhookSender {
  if (!webhooks) throw new AppError('conflict', NO_ADDRESS)
  return webhooks
}

async function requireWebhook(db: Database, id: number): Promise<WebhookRow> {
  const webhook = await findWebhook(db, id)
  if (!webhook) throw new AppError('not-found', 'There is no such webhook.')
  return webhook
}

async function requireDelivery(db: Database, id: number): Promise<DeliveryRow> {
  const delivery = await findDelivery(db, id)
  if (!delivery) throw new AppError('not-found', 'There is no such message.')
  return delivery
}

const makeSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

async function log(
  db: DatabaseTransaction,
  act: { viewer: Viewer; name: string; action: AuditAction; reason?: string },
): Promise<void> {
  const { viewer: actor, name, action, reason } = act
  const target = { kind: 'site', id: null, name } as const
  await insertAuditEntry(db, { actor, action, target, ...(reason && { reason }) })
}
