import { randomBytes } from 'node:crypto'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { type Database, inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { AppError } from '#server/platform/errors.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { CreatedInvite, CreateInvite } from '#shared/schemas/desk/member.schemas.ts'
import type { Audience, Registration } from '#shared/schemas/desk/site.schemas.ts'
import type { Invitation } from '#shared/schemas/user.schemas.ts'
import { hasAdmin } from '../auth/auth.queries.ts'
import { endSetup, requireSetupCode } from '../auth/setup-code.ts'
import {
  countMembers,
  findInvite,
  findInviter,
  insertInvite,
  inviteIsOpen,
  listFirstMembers,
  spendInvite,
  updateRevoked,
} from './invite.queries.ts'

const DAY_MS = 86_400_000
const CODE_BYTES = 12
const FACES = 5

/** @returns the only copy of its code, stored as a digest */
export async function createInvite(
  db: Database,
  input: CreateInvite & { viewer: Viewer },
): Promise<CreatedInvite> {
  const { uses, days, note, viewer } = input
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const expiresAt = days === null ? null : timestamp(new Date(Date.now() + days * DAY_MS))
  return inTransaction(db, async (transaction) => {
    const row = { codeHash: digestOf(code), usesMax: uses, expiresAt, note, createdBy: viewer.id }
    const id = await insertInvite(transaction, row)
    const target = { kind: 'invite', id, name: nameOf({ note, usesMax: uses }) } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'invite.create', target })
    const invite = await findInvite(transaction, id)
    if (!invite) throw new AppError('not-found', 'There is no such invite.')
    return { ...invite, code }
  })
}

/** For the audit log: without the code. */
function nameOf({ note, usesMax }: { note: string; usesMax: number }): string {
  return note || `For ${usesMax}`
}

/** @throws `not-found`, also when ended */
export async function revokeInvite(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  await inTransaction(db, async (transaction) => {
    const revoked = await updateRevoked(transaction, id)
    if (!revoked) throw new AppError('not-found', 'There is no such invite.')
    const target = { kind: 'invite', id, name: nameOf(revoked) } as const
    await insertAuditEntry(transaction, { actor: viewer, action: 'invite.revoke', target })
  })
}

type Pass = { invite?: string | null | undefined; setupCode?: string | null | undefined }

export async function readRegistration(
  db: Database,
  input: Pick<Pass, 'invite'>,
): Promise<{
  registration: Registration
  inviteIsOpen: boolean
  needsAdmin: boolean
  invitation: Invitation | null
}> {
  const { registration, audience } = await findSiteSettings(db)
  const invitation = input.invite ? await findInvitation(db, input.invite, audience) : null
  return {
    ...{ registration, inviteIsOpen: invitation !== null },
    ...{ needsAdmin: !(await hasAdmin(db)), invitation },
  }
}

/**
 * Returns null if the invite is not open. Visitors cannot load the pictures of a site for members
 * only.
 */
async function findInvitation(
  db: Database,
  code: string,
  audience: Audience,
): Promise<Invitation | null> {
  const inviter = await findInviter(db, digestOf(code))
  if (!inviter) return null
  const people = await listFirstMembers(db, FACES)
  return {
    by: inviter.displayName,
    people: audience === 'members' ? people.map((face) => ({ ...face, avatarUrl: null })) : people,
    peopleCount: await countMembers(db),
  }
}

/** @throws `forbidden` with the reason */
export async function requireRegistrationOpen(db: Database, input: Pass): Promise<void> {
  const { setupCode } = input
  if (setupCode !== null && setupCode !== undefined) return requireSetupCode(db, setupCode)
  const { registration } = await findSiteSettings(db)
  if (registration === 'open') return
  const { invite } = input
  if (registration === 'invite' && invite && (await inviteIsOpen(db, digestOf(invite)))) return
  throw refusalOf({ registration, hasInvite: Boolean(input.invite) })
}

/**
 * Uses up an invite if needed.
 * @returns whether the account becomes an admin
 * @throws `forbidden` with the reason
 */
export async function admit(db: Database, { invite, setupCode }: Pass): Promise<Flag> {
  if (setupCode !== null && setupCode !== undefined) {
    await requireSetupCode(db, setupCode)
    await endSetup(db)
    return 1
  }
  const { registration } = await findSiteSettings(db)
  if (registration === 'open') return 0
  const isInvited = registration === 'invite' && invite && (await spendInvite(db, digestOf(invite)))
  if (!isInvited) throw refusalOf({ registration, hasInvite: Boolean(invite) })
  return 0
}

function refusalOf(access: { registration: Registration; hasInvite: boolean }): AppError {
  if (access.registration === 'closed') {
    return new AppError('forbidden', 'Registration is closed on this site.')
  }
  const sentence = access.hasInvite
    ? 'This invite link is used up or too old. Ask for a new one.'
    : 'You need an invite link to register here.'
  return new AppError('forbidden', sentence)
}
