import type { Context } from '#server/platform/context.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { ActiveSession } from '#server/platform/viewer.ts'
import { isListedHost } from '#shared/local-host.ts'
import { isPushService, PUSH_BROWSERS_MAX } from '#shared/push.ts'
import type { PushState, PushSubscriptionKeys } from '#shared/schemas/push.schemas.ts'
import { canEncryptFor } from './push-keys.ts'
import {
  deleteOtherSubscriptions,
  deleteSubscription,
  findQuietHours,
  findSubscriptionOfSession,
  listSubscriptions,
  saveSubscription,
} from './push-subscription.queries.ts'

export async function readPushState(
  { db }: Pick<Context, 'db'>,
  { viewer, id: sessionId }: ActiveSession,
): Promise<PushState> {
  const rows = await listSubscriptions(db, viewer.id)
  return {
    browsers: rows.map(({ id, userAgent, createdAt, sentAt, ...row }) => ({
      ...{ id, userAgent, createdAt, sentAt, isCurrent: row.sessionId === sessionId },
    })),
    quietHours: (await findQuietHours(db, viewer.id)) ?? null,
  }
}

/** @throws `forbidden` for the address of an unknown push service, `invalid` for malformed keys */
export async function subscribeBrowser(
  { db, config, userAgent }: Pick<Context, 'db' | 'config' | 'userAgent'>,
  { session, subscription }: { session: ActiveSession; subscription: PushSubscriptionKeys },
): Promise<void> {
  const { endpoint, keys } = subscription
  const url = new URL(endpoint)
  if (!isPushService(url) && !isListedHost(config.pushServices, url)) {
    throw new AppError(
      'forbidden',
      `This site does not know the push service ${url.host}. Whoever runs the site can add it to PUSH_SERVICES.`,
    )
  }
  if (!(await canEncryptFor(keys))) {
    throw new AppError('invalid', 'The keys of this browser cannot be used to encrypt messages.')
  }
  const { id: sessionId, viewer } = session
  const userId = viewer.id
  await inTransaction(db, async (transaction) => {
    await saveSubscription(transaction, { userId, sessionId, endpoint, ...keys, userAgent })
    const max = PUSH_BROWSERS_MAX
    await deleteOtherSubscriptions(transaction, { userId, sessionId, endpoint, max })
  })
}

/** @throws `not-found`, also for a subscription of another member */
export async function unsubscribeBrowser(
  { db }: Pick<Context, 'db'>,
  { session, id }: { session: ActiveSession; id: number | undefined },
): Promise<void> {
  const found = id ?? (await findSubscriptionOfSession(db, session.id))?.id
  const input = found !== undefined && { id: found, userId: session.viewer.id }
  if (input && (await deleteSubscription(db, input))) return
  throw new AppError('not-found', 'This device gets no push messages.')
}

/**
 * Sends a message to the current browser at once, and reports the answer of the push service.
 * @throws `not-found`, `too-many`, `unprocessable` with the reason
 */
export async function sendTest(
  { db, push, limits }: Pick<Context, 'db' | 'push' | 'limits'>,
  session: ActiveSession,
): Promise<void> {
  const browser = await findSubscriptionOfSession(db, session.id)
  if (!browser) throw new AppError('not-found', 'This device gets no push messages.')
  await limits.pushTests.count(`member-${session.viewer.id}`)
  const { name } = await findSiteSettings(db)
  const sent = await push.sendNow(browser, {
    ...{ title: 'It works', body: `${name} can notify you on this device.` },
    ...{ link: '/settings#notifications', tag: 'test' },
  })
  if (sent.outcome === 'failed')
    throw new AppError('unprocessable', `The push service did not take the message. ${sent.error}`)
  if (sent.outcome === 'taken') return
  await deleteSubscription(db, { id: browser.id, userId: session.viewer.id })
  throw new AppError('unprocessable', 'This device no longer accepts messages. Turn them on again.')
}
