import { announceComments } from '#server/community/comment/comment.service.ts'
import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { type ModeratedText, TEXT_KINDS } from './moderated-text.ts'
import { resolveReportsAbout } from './moderation.queries.ts'
import type { Services } from './moderation.service.ts'

type Act = { kind: keyof typeof TEXT_KINDS; id: number; viewer: Viewer }
type ReasonedAct = Act & { reason: string }

/**
 * Admins still see it.
 * @throws `conflict` when already hidden
 */
export async function hideText({ db, live }: Services, act: ReasonedAct): Promise<void> {
  const { kind, id, viewer } = act
  const { require, withhold, reportColumn } = TEXT_KINDS[kind]
  const { text, notified } = await inTransaction(db, async (transaction) => {
    const text = await require(transaction, id)
    if (text.withheld === 'hidden') {
      throw new AppError('conflict', `This ${kind} is hidden already.`)
    }
    await withhold(transaction, { id, withheld: 'hidden' })
    await resolveReportsAbout(transaction, { column: reportColumn, id, closedBy: viewer.id })
    await log(transaction, { ...act, text, verb: 'hide' })
    return { text, notified: await notifyAuthor(transaction, { ...act, text, was: 'hidden' }) }
  })
  live.announce(notified)
  announceComments(live, text)
}

/**
 * With its notifications.
 * @throws `conflict` when not held
 */
export async function approveText({ db, live }: Services, act: Act): Promise<void> {
  const { kind, id } = act
  const { require, withhold } = TEXT_KINDS[kind]
  const { text, notified } = await inTransaction(db, async (transaction) => {
    const text = await require(transaction, id)
    if (text.withheld !== 'held') {
      throw new AppError('conflict', `This ${kind} does not wait for review.`)
    }
    const { userId, displayName, bannedAt } = text
    await withhold(transaction, { id, withheld: bannedAt === null ? null : 'banned' })
    await log(transaction, { ...act, text, verb: 'approve', reason: '' })
    const isShown = bannedAt === null && userId !== null && displayName !== null
    const notified = isShown ? await text.announce(transaction, { id: userId, displayName }) : []
    return { text, notified }
  })
  live.announce(notified)
  announceComments(live, text)
}

/** @throws `conflict` when not hidden */
export async function unhideText({ db, live }: Services, act: Act): Promise<void> {
  const { kind, id } = act
  const { require, withhold } = TEXT_KINDS[kind]
  const unhidden = await inTransaction(db, async (transaction) => {
    const text = await require(transaction, id)
    if (text.withheld !== 'hidden') {
      throw new AppError('conflict', `This ${kind} is not hidden.`)
    }
    await withhold(transaction, { id, withheld: text.bannedAt === null ? null : 'banned' })
    await log(transaction, { ...act, text, verb: 'unhide', reason: '' })
    return text
  })
  announceComments(live, unhidden)
}

/** With replies or comments; notifies the author. */
export async function deleteText({ db, live }: Services, act: ReasonedAct): Promise<void> {
  const { kind, id } = act
  const { require, deleteDependants, delete: remove } = TEXT_KINDS[kind]
  await require(db, id)
  await deleteDependants(db, id)
  const { text, notified } = await inTransaction(db, async (transaction) => {
    const text = await require(transaction, id)
    await remove(transaction, id)
    await log(transaction, { ...act, text, verb: 'delete' })
    return { text, notified: await notifyAuthor(transaction, { ...act, text, was: 'deleted' }) }
  })
  live.announce(notified)
  announceComments(live, text)
}

async function log(
  db: Database,
  input: ReasonedAct & { text: ModeratedText; verb: 'approve' | 'hide' | 'unhide' | 'delete' },
): Promise<void> {
  const { kind, text, verb, viewer, reason } = input
  const name = `${text.username ?? 'Deleted user'}: ${text.content}`
  const target = { kind, id: text.id, name } as const
  await insertAuditEntry(db, { actor: viewer, action: `${kind}.${verb}`, target, reason })
}

async function notifyAuthor(
  db: Database,
  input: ReasonedAct & { text: ModeratedText; was: 'hidden' | 'deleted' },
): Promise<number[]> {
  const { text, was, reason, viewer } = input
  if (text.userId === null || text.userId === viewer.id) return []
  await insertNotifications(db, [
    {
      userId: text.userId,
      type: 'comment',
      title: `Your ${text.name} was ${was}`,
      message: reason,
      sourceUserId: viewer.id,
      videoId: text.videoId,
    },
  ])
  return [text.userId]
}
