import { findRecipient } from '#server/account/email/email.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { DigestEvery } from '#shared/schemas/email.schemas.ts'
import {
  deleteDigest,
  findDigest,
  findLastNotificationOf,
  listDueDigests,
  moveDigest,
  saveDigest,
} from './digest.queries.ts'
import { digestLetter } from './digest-letter.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'

const DAY_MS = 24 * 60 * 60_000
const PERIOD_MS = { day: DAY_MS, week: 7 * DAY_MS }
const AT_ONCE = 200

export async function readDigest(
  db: Database,
  { viewer }: { viewer: Viewer },
): Promise<{ every: DigestEvery }> {
  return { every: (await findDigest(db, viewer.id))?.every ?? 'never' }
}

/** @throws `conflict` for an address that is not verified, `not-found` on a site that sends no email */
export async function chooseDigest(
  { db, mail }: Pick<Context, 'db' | 'mail'>,
  { viewer, every }: { viewer: Viewer; every: DigestEvery },
): Promise<{ every: DigestEvery }> {
  const userId = viewer.id
  if (every === 'never') {
    await deleteDigest(db, userId)
    return { every }
  }
  if (!mail) throw new AppError('not-found', 'This site sends no email.')
  await inTransaction(db, async (transaction) => {
    const member = await findRecipient(transaction, userId)
    if (!member?.emailVerifiedAt) {
      throw new AppError('conflict', 'Please verify your email address first.')
    }
    const was = await findDigest(transaction, userId)
    if (was?.every === every) return
    const nextAt = timestamp(new Date(Date.now() + PERIOD_MS[every]))
    const lastId = was?.lastId ?? (await findLastNotificationOf(transaction, userId))
    await saveDigest(transaction, { userId, every, nextAt, lastId })
  })
  return { every }
}

/**
 * Queues the summaries that are due. The row is moved and the email queued in one transaction, so only one node sends
 * each summary.
 */
export async function postDigests(
  { db, mail, closing }: Pick<AppDeps, 'db' | 'mail' | 'closing'>,
  now: Date = new Date(),
): Promise<void> {
  if (!mail) return
  const due = await listDueDigests(db, { now: timestamp(now), limit: AT_ONCE })
  for (const { userId, every, nextAt: was, lastId } of due) {
    if (closing.aborted) return
    const periodMs = PERIOD_MS[every]
    // Keeps the time of day, however long the site was stopped.
    const passed = Math.floor((now.getTime() - Date.parse(was)) / periodMs) + 1
    const nextAt = timestamp(new Date(Date.parse(was) + passed * periodMs))
    await inTransaction(db, async (transaction) => {
      const upToId = await findLastNotificationOf(transaction, userId)
      const isMine = await moveDigest(transaction, { userId, was, nextAt, lastId: upToId })
      if (!isMine || upToId <= lastId) return
      await mail.post(transaction, digestLetter, { userId, data: { afterId: lastId, upToId } })
    })
  }
  if (due.length > 0) mail.wake()
}

/** @throws `not-found` for a token that this site did not issue */
export async function unsubscribe(db: Database, token: string): Promise<void> {
  const userId = await readUnsubscribeToken(db, token)
  if (userId === undefined) {
    throw new AppError(
      'not-found',
      'This link is not complete. Open it again from the email, or use your settings.',
    )
  }
  await deleteDigest(db, userId)
}
