import type { Subscription } from '#shared/community.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { LiveFeed } from '../notification/live-feed.ts'
import { notifyOfSubscriber } from '../notification/notification.service.ts'
import { requireUser } from '../user/user.service.ts'
import {
  addToSubscriberCount,
  deleteSubscription,
  findSubscription,
  insertSubscription,
} from './subscription.queries.ts'

type Services = { db: Database; live: LiveFeed }
type Input = { channelId: number; viewer: Viewer }

/**
 * Follows a channel; again changes nothing.
 * @throws AppError `invalid` for oneself, `not-found` without such a channel.
 */
export async function subscribe({ db, live }: Services, input: Input): Promise<Subscription> {
  const { channelId, viewer } = input
  if (channelId === viewer.id) {
    throw new AppError('invalid', 'You cannot subscribe to your own channel.')
  }
  await requireUser(db, { id: channelId, viewer })
  const key = { subscriberId: viewer.id, channelId }
  const { isNew, told } = await db.transaction().execute(async (transaction) => {
    if (!(await insertSubscription(transaction, key))) return { isNew: false, told: [] }
    await addToSubscriberCount(transaction, { channelId, change: 1 })
    return {
      isNew: true,
      told: await notifyOfSubscriber(transaction, { actor: viewer, channelId }),
    }
  })
  live.announce(told)
  const subscription = await findSubscription(db, key)
  if (!subscription) throw new AppError('conflict', 'The subscription was removed meanwhile.')
  return { ...subscription, isNew }
}

/** Stops following; again changes nothing. @throws AppError `not-found` without such a channel. */
export async function unsubscribe({ db }: Services, input: Input): Promise<void> {
  const { channelId, viewer } = input
  await requireUser(db, { id: channelId, viewer })
  await db.transaction().execute(async (transaction) => {
    const removed = await deleteSubscription(transaction, { subscriberId: viewer.id, channelId })
    if (removed) await addToSubscriberCount(transaction, { channelId, change: -1 })
  })
}
