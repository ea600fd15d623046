import { requireSelf } from '#server/account/user/user.access.ts'
import { requireUser } from '#server/account/user/user.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Subscribe, Subscription } from '#shared/schemas/community.schemas.ts'
import { notifyOfSubscriber } from '../notification/notification.service.ts'
import {
  addToSubscriberCount,
  deleteSubscription,
  findSubscription,
  insertSubscription,
} from './subscription.queries.ts'

type Services = { db: Database; live: LiveFeed }
type Input = Subscribe & { viewer: Viewer }

/**
 * Idempotent.
 * @throws `invalid` for oneself
 */
export async function subscribe({ db, live }: Services, input: Input): Promise<Subscription> {
  const { channelId, viewer } = input
  if (channelId === viewer.id) {
    throw new AppError('invalid', 'You cannot subscribe to your own channel.')
  }
  await requireUser(db, { id: channelId, viewer })
  requireSelf(viewer, input.subscriberId)
  const key = { subscriberId: viewer.id, channelId }
  const { notified, ...subscription } = await inTransaction(db, async (transaction) => {
    const isNew = await insertSubscription(transaction, key)
    if (isNew) await addToSubscriberCount(transaction, { channelId, change: 1 })
    const notified = isNew
      ? await notifyOfSubscriber(transaction, { actor: viewer, channelId })
      : []
    return { ...(await findSubscription(transaction, key)), isNew, notified }
  })
  live.announce(notified)
  return subscription
}

/**
 * Idempotent.
 * @throws `not-found` without such a channel, `forbidden` when `subscriberId` is another member's
 */
export async function unsubscribe({ db }: Services, input: Input): Promise<void> {
  const { channelId, viewer } = input
  await requireUser(db, { id: channelId, viewer })
  requireSelf(viewer, input.subscriberId)
  await inTransaction(db, async (transaction) => {
    const removed = await deleteSubscription(transaction, { subscriberId: viewer.id, channelId })
    if (removed) await addToSubscriberCount(transaction, { channelId, change: -1 })
  })
}
