import { randomBytes } from 'node:crypto'
import { listUsersByName } from '#server/account/user/user.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import { toFlag } from '#server/platform/db/tables/column.ts'
import { AppError } from '#server/platform/errors.ts'
import { requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { AuditAction } from '#shared/admin-limits.ts'
import type {
  ChatPost,
  CreateWebhook,
  Delivery,
  EditWebhook,
  Webhook,
} from '#shared/schemas/desk/webhook.schemas.ts'
import { CHAT_ADDRESS_ERROR, isChatAddress } from '#shared/schemas/desk/webhook.schemas.ts'
import { WEBHOOKS_MAX, type WebhookKind } from '#shared/webhooks.ts'
import { findChatPost, listChatPosts, settleChatPost } from './chat-post.queries.ts'
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
  squadExists,
  updateWebhook,
  type WebhookRow,
} from './webhook.queries.ts'
import { makeMessageId } from './webhook-message.ts'
import type { WebhookSender } from './webhook-sender.ts'

const SECRET_BYTES = 32
const NO_ADDRESS =
  'Messages contain addresses of this site: set PUBLIC_URL to its outside address first.'

type Deps = Pick<Context, 'db' | 'webhooks'>
type Act = { id: number; viewer: Viewer }

export async function readWebhooks({ db, webhooks }: Deps) {
  return { items: (await listWebhooks(db)).map(toWebhook), isAvailable: webhooks !== undefined }
}

function toWebhook(row: Awaited<ReturnType<typeof listWebhooks>>[number]): Webhook {
  const { id, format, name, pausedAt, lastError, createdAt, category, template } = row
  const { squadId, squadName, channelName } = row
  return {
    ...{ id, format, name, pausedAt, lastError, createdAt, category, template },
    address: format === 'discord' ? withoutToken(row.url) : row.url,
    isActive: row.isActive === 1,
    kinds: JSON.parse(row.kinds) as WebhookKind[],
    squad: squadId === null ? null : { id: squadId, name: squadName ?? '' },
    channel: channelName,
    sendsFile: row.sendsFile === 1,
    editsPosts: row.editsPosts === 1,
    deletesPosts: row.deletesPosts === 1,
    waiting: Number(row.waiting),
  }
}

function withoutToken(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname.slice(0, pathname.lastIndexOf('/'))}/…`
}

export async function readDeliveries(db: Database, id: number): Promise<Delivery[]> {
  await requireWebhook(db, id)
  return (await listDeliveries(db, id)).map(({ webhookId: _, data: __, ...shown }) => shown)
}

/** @throws `conflict` without `PUBLIC_URL` and beyond `WEBHOOKS_MAX` */
export async function createWebhook(
  deps: Deps,
  { viewer, ...input }: CreateWebhook & { viewer: Viewer },
): Promise<{ id: number; secret: string | null }> {
  requireSender(deps)
  const { format, name, url } = input
  const secret = format === 'standard' ? makeSecret() : null
  const id = await inTransaction(deps.db, async (transaction) => {
    if ((await countWebhooks(transaction)) >= WEBHOOKS_MAX) {
      throw new AppError('conflict', `A site has at most ${WEBHOOKS_MAX} webhooks.`)
    }
    const columns = {
      ...toColumns(input),
      ...(input.format === 'discord' && (await toChannel(transaction, input))),
    }
    await requireOnePlace(transaction, { ...NO_PLACE, ...columns })
    await log(transaction, { viewer, name, action: 'webhook.create' })
    return insertWebhook(transaction, { format, name, url, secret, ...columns })
  })
  return { id, secret }
}

type Fields = Omit<EditWebhook, 'id' | 'name' | 'url' | 'isActive'>

function toColumns(fields: Fields): Partial<WebhookRow> {
  const { kinds, category, squadId, template, sendsFile, editsPosts, deletesPosts } = fields
  return {
    ...(kinds && { kinds: JSON.stringify(kinds) }),
    ...(category !== undefined && { category }),
    ...(squadId !== undefined && { squadId }),
    ...(template !== undefined && { template }),
    ...(sendsFile !== undefined && { sendsFile: toFlag(sendsFile) }),
    ...(editsPosts !== undefined && { editsPosts: toFlag(editsPosts) }),
    ...(deletesPosts !== undefined && { deletesPosts: toFlag(deletesPosts) }),
  }
}

/** @throws `invalid` for a name that nobody has */
async function toChannel(
  db: Database,
  { channel }: { channel?: string | null | undefined },
): Promise<Pick<WebhookRow, 'channelId'> | undefined> {
  if (channel === undefined) return undefined
  if (channel === null) return { channelId: null }
  const [member] = await listUsersByName(db, [channel])
  if (member) return { channelId: member.id }
  throw new AppError('invalid', `There is nobody here with the name @${channel}.`)
}

type Place = Pick<WebhookRow, 'category' | 'squadId' | 'channelId'>

const NO_PLACE: Place = { category: null, squadId: null, channelId: null }

/** @throws `invalid` for several together, and one that is not there */
async function requireOnePlace(
  db: Database,
  { category, squadId, channelId }: Place,
): Promise<void> {
  const chosen = [category, squadId, channelId].filter((place) => place !== null)
  if (chosen.length > 1) {
    throw new AppError('invalid', 'Choose a category, a squad or a channel, not several.')
  }
  if (category !== null) await requireOpenCategory(db, category, { before: category })
  if (squadId !== null && !(await squadExists(db, squadId))) {
    throw new AppError('invalid', 'There is no such squad.')
  }
}

/** An active webhook is no longer paused. */
export async function editWebhook(
  deps: Deps,
  { id, viewer, name, url, isActive, ...fields }: EditWebhook & { viewer: Viewer },
): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    const before = await requireWebhook(transaction, id)
    const isChat = before.format === 'discord'
    if (isChat && url !== undefined && !isChatAddress(url)) {
      throw new AppError('invalid', `${CHAT_ADDRESS_ERROR}.`)
    }
    const { kinds, ...chat } = fields
    const columns = isChat
      ? { ...toColumns(chat), ...(await toChannel(transaction, chat)) }
      : toColumns({ kinds })
    if (isChat) await requireOnePlace(transaction, { ...before, ...columns })
    const change = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...columns,
      ...(isActive !== undefined && { isActive: toFlag(isActive) }),
      ...(isActive && { failures: 0, pausedAt: null }),
    }
    await updateWebhook(transaction, { id, change })
    const reason = Object.keys(change).join(', ')
    const act = { viewer, name: name ?? before.name, action: 'webhook.edit', reason } as const
    await log(transaction, act)
  })
  deps.webhooks?.wake()
}

/**
 * Messages are signed with the old secret too, for a day.
 * @throws `conflict` for one of Discord, whose address is the secret
 */
export async function renewSecret(
  { db }: Pick<Deps, 'db'>,
  { id, viewer }: Act,
): Promise<{ secret: string }> {
  const secret = makeSecret()
  await inTransaction(db, async (transaction) => {
    const { name, format, secret: previousSecret } = await requireWebhook(transaction, id)
    if (format === 'discord') {
      throw new AppError(
        'conflict',
        'The address of this webhook is its secret: make a new one in Discord.',
      )
    }
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
  const messageId = makeMessageId()
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

export async function readChatPosts(db: Database, id: number): Promise<ChatPost[]> {
  await requireWebhook(db, id)
  return listChatPosts(db, id)
}

/**
 * Posts a video that may not be in the chat.
 * @throws `conflict` for one that is, or waits
 */
export async function postAgain(deps: Deps, id: number): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    const post = await findChatPost(transaction, id)
    if (!post) throw new AppError('not-found', 'There is no such message.')
    if (post.state !== 'unknown' && post.state !== 'refused') {
      throw new AppError('conflict', 'This message was posted already, or is still to be posted.')
    }
    const change = { state: 'waiting', lastError: null, attempts: 0 } as const
    await settleChatPost(transaction, { ...post, nextAt: timestamp(), change })
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
