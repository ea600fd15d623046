import type { Context } from '#server/platform/context.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { EmailState } from '#shared/schemas/email.schemas.ts'
import {
  deleteVerifications,
  findRecipient,
  findVerification,
  updateVerified,
} from './email.queries.ts'
import { addressChangedLetter, hasWorkingAddress, verificationLetter } from './email-letters.ts'

type Mail = AppDeps['mail']

export async function readEmailState(
  { db, mail }: Pick<Context, 'db' | 'mail'>,
  { viewer }: { viewer: Viewer },
): Promise<EmailState> {
  const member = await findRecipient(db, viewer.id)
  return {
    sends: mail !== undefined,
    isVerified: member !== undefined && member.emailVerifiedAt !== null,
    isRefused: member !== undefined && member.emailRefusedAt !== null,
  }
}

/**
 * Also sends to a verified address that the mail server refused: if it accepts this email, summaries are sent again.
 * @throws `conflict` if the address is verified, `too-many`, `not-found` on a site that sends no email
 */
export async function sendVerification(
  { db, mail, limits }: Pick<Context, 'db' | 'mail' | 'limits'>,
  { viewer }: { viewer: Viewer },
): Promise<void> {
  if (!mail) throw new AppError('not-found', 'This site sends no email.')
  const member = await findRecipient(db, viewer.id)
  if (!member) throw new AppError('unauthenticated', 'Please sign in first.')
  if (hasWorkingAddress(member)) {
    throw new AppError('conflict', 'Your email address is verified already.')
  }
  await limits.mails.count(`verify ${member.id}`)
  await mail.post(db, verificationLetter, {
    userId: member.id,
    data: { address: member.email },
  })
  mail.wake()
}

/**
 * The link works once.
 * @throws `not-found` when the link was used or has expired, or the address of the account has changed
 */
export async function verifyEmail(
  { db, log, address }: Pick<Context, 'db' | 'log' | 'address'>,
  { token }: { token: string },
): Promise<{ username: string }> {
  const member = await inTransaction(db, async (transaction) => {
    const found = await findVerification(transaction, digestOf(token))
    if (!found) {
      throw new AppError(
        'not-found',
        'This link was used before or is too old. Your settings can send a new one.',
      )
    }
    await updateVerified(transaction, { userId: found.id, isVerified: true })
    await deleteVerifications(transaction, found.id)
    return found
  })
  log.info({ userId: member.id, address }, 'email address verified')
  return { username: member.username }
}

/** Call within the transaction that changes the address. */
export async function noteNewAddress(
  db: Database,
  { mail, tells, ...change }: AddressChange & { mail: Mail; tells: Tells },
): Promise<void> {
  const { userId, before, address } = change
  await updateVerified(db, { userId, isVerified: false })
  await deleteVerifications(db, userId)
  if (tells.old) await mail?.post(db, addressChangedLetter, { userId, data: { address: before } })
  if (tells.new) await mail?.post(db, verificationLetter, { userId, data: { address } })
}

type AddressChange = { userId: number; before: string; address: string }
type Tells = { old: boolean; new: boolean }

/** Limited per member, so that repeated changes cannot be used to send email to strangers. */
export async function mayTellOfAddress(
  { mail, limits }: Pick<Context, 'mail' | 'limits'>,
  userId: number,
): Promise<Tells> {
  if (!mail) return { old: false, new: false }
  return {
    old: await limits.mails.isWithin(`changed ${userId}`),
    new: await limits.mails.isWithin(`verify ${userId}`),
  }
}
