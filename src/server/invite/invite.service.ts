import { randomBytes } from 'node:crypto'
import type { CreateInvite, Invite } from '#shared/member.schemas.ts'
import type { Registration } from '#shared/site.schemas.ts'
import { insertAuditEntry } from '../audit/audit.queries.ts'
import { countUsers } from '../auth/auth.queries.ts'
import type { Viewer } from '../auth/lucia.ts'
import { type Database, timestamp } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { findSiteSettings } from '../site/site.queries.ts'
import {
  findInvite,
  insertInvite,
  inviteIsOpen,
  spendInvite,
  updateRevoked,
} from './invite.queries.ts'

const DAY_MS = 86_400_000
const CODE_BYTES = 12

/** Makes a link with which so many people may register. */
export async function createInvite(
  db: Database,
  input: CreateInvite & { viewer: Viewer },
): Promise<Invite> {
  const { uses, days, note, viewer } = input
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const expiresAt = days === null ? null : timestamp(new Date(Date.now() + days * DAY_MS))
  return db.transaction().execute(async (transaction) => {
    const row = { code, usesMax: uses, expiresAt, note, createdBy: viewer.id }
    const id = await insertInvite(transaction, row)
    const target = { kind: 'invite', id, name: note || `For ${uses}` } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'invite.create', target })
    const invite = await findInvite(transaction, id)
    if (!invite) throw new AppError('not-found', 'There is no such invite.')
    return invite
  })
}

/** Ends a link. @throws AppError `not-found`, also for one that was ended before */
export async function revokeInvite(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  await db.transaction().execute(async (transaction) => {
    const code = await updateRevoked(transaction, id)
    if (code === undefined) throw new AppError('not-found', 'There is no such invite.')
    const invite = await findInvite(transaction, id)
    const target = { kind: 'invite', id, name: invite?.note || code } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'invite.revoke', target })
  })
}

/** Who may register now; a site without any account takes its first one always. */
export async function readRegistration(
  db: Database,
  input: { invite?: string | null | undefined },
): Promise<{ registration: Registration; inviteIsOpen: boolean }> {
  const { registration } = await findSiteSettings(db)
  const isFirst = registration !== 'open' && (await countUsers(db)) === 0
  return {
    registration: isFirst ? 'open' : registration,
    inviteIsOpen: input.invite ? await inviteIsOpen(db, input.invite) : false,
  }
}

/**
 * Says to somebody who may not register that they may not, before a password is hashed for it.
 * @throws AppError `forbidden` with the reason
 */
export async function requireOpenDoor(
  db: Database,
  input: { invite?: string | null | undefined },
): Promise<void> {
  const { registration, inviteIsOpen: isInvited } = await readRegistration(db, input)
  if (registration === 'open' || (registration === 'invite' && isInvited)) return
  throw refusalOf({ registration, hasInvite: Boolean(input.invite) })
}

/**
 * Lets somebody register, and uses their link for it where one is needed.
 * @throws AppError `forbidden` with the reason
 */
export async function admit(
  db: Database,
  input: { invite?: string | null | undefined; isFirst: boolean },
): Promise<void> {
  const { invite, isFirst } = input
  const { registration } = await findSiteSettings(db)
  if (isFirst || registration === 'open') return
  const isInvited = registration === 'invite' && invite && (await spendInvite(db, invite))
  if (!isInvited) throw refusalOf({ registration, hasInvite: Boolean(invite) })
}

function refusalOf(door: { registration: Registration; hasInvite: boolean }): AppError {
  if (door.registration === 'closed') {
    return new AppError('forbidden', 'Registration is closed on this site.')
  }
  const sentence = door.hasInvite
    ? 'This invite link is used up or too old. Ask for a new one.'
    : 'You need an invite link to register here.'
  return new AppError('forbidden', sentence)
}
