import { requireUser } from '#server/account/user/user.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { FEATURED_CHANNELS_MAX } from '#shared/limits.ts'
import {
  insertFeaturedChannel,
  listFeaturedChannels,
  listFeaturedIds,
  updateFeaturedOrder,
} from './featured-channel.queries.ts'

type Act = { channelId: number; viewer: Viewer }

/**
 * Appends the channel.
 * @throws `invalid` for oneself, `conflict` at the limit
 */
export async function featureChannel(db: Database, input: Act): Promise<void> {
  const { channelId, viewer } = input
  await requireUser(db, { id: channelId, viewer })
  if (channelId === viewer.id) {
    throw new AppError('invalid', 'A channel cannot feature itself.')
  }
  await inTransaction(db, async (transaction) => {
    const ids = await listFeaturedIds(transaction, viewer.id)
    if (ids.includes(channelId)) return
    if (ids.length >= FEATURED_CHANNELS_MAX) {
      throw new AppError('conflict', `A channel features at most ${FEATURED_CHANNELS_MAX} others.`)
    }
    await insertFeaturedChannel(transaction, { userId: viewer.id, channelId })
  })
}

export async function moveFeaturedChannel(
  db: Database,
  input: Act & { toIndex: number },
): Promise<void> {
  const { channelId, toIndex, viewer } = input
  const userId = viewer.id
  await inTransaction(db, async (transaction) => {
    const shown = await listFeaturedChannels(transaction, { userId, viewer })
    if (!shown.some(({ id }) => id === channelId)) {
      throw new AppError('not-found', 'Your channel does not feature this one.')
    }
    const order = shown.map(({ id }) => id).filter((id) => id !== channelId)
    order.splice(toIndex, 0, channelId)
    const all = await listFeaturedIds(transaction, userId)
    const unseen = all.filter((id) => !order.includes(id))
    await updateFeaturedOrder(transaction, { userId, channelIds: [...order, ...unseen] })
  })
}
