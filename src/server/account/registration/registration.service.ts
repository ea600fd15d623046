import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type DatabaseTransaction, inTransaction, timestamp } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Register } from '#shared/schemas/auth.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { insertUser, isSquadTag } from '../auth/auth.queries.ts'
import { type Accounts, completeSignIn } from '../auth/auth.service.ts'
import { hashPassword } from '../auth/password.ts'
import { requireHttps } from '../auth/required-https.ts'
import { verificationLetter } from '../email/email-letters.ts'
import { admit, requireRegistrationOpen } from '../invite/invite.service.ts'
import { requireGoodPassword } from '../new-password/new-password.service.ts'
import { requirePasswordsForMembers } from '../sign-in-settings/sign-in-settings.service.ts'
import { memberJoined } from './registration.events.ts'

type Newcomer = Accounts & Pick<Context, 'mail'>

/**
 * Creates an account and a session. With the setup code of a site without an admin, the account becomes one.
 * @throws `invalid` for a password that is easily guessed, `forbidden` for a wrong setup code or without a required
 * invite, `conflict` for a used username or email, or the tag of a squad as the username, `too-many` after 5 accounts
 * or 20 conflicts in an hour. See docs/decisions/0023-limits-on-guessing.md.
 */
export async function registerUser(accounts: Newcomer, input: Register): Promise<OwnUser> {
  const { db, log, address } = accounts
  await requireHttps(accounts)
  if (input.setupCode === null || input.setupCode === undefined) {
    await requirePasswordsForMembers(db)
  }
  const password = async () => {
    await requireGoodPassword(db, { password: input.password, account: input })
    return hashPassword(input.password)
  }
  const userId = await makeAccount(accounts, { ...input, password })
  log.info({ userId, address }, 'registration')
  return completeSignIn(accounts, { userId, rememberMe: false, method: 'password' })
}

type NewAccount = Omit<Register, 'password'> & {
  /** Returns the hash. */
  password: () => Promise<string>
  /** Allows the account without open registration or an invite. */
  isAdmitted?: boolean
  /** Runs in the transaction that creates the account. */
  within?: (transaction: DatabaseTransaction, userId: number) => Promise<void>
}

/**
 * Creates an account without a session.
 * @throws the errors of `registerUser`
 */
export async function makeAccount(accounts: Newcomer, input: NewAccount): Promise<number> {
  const endRegistration = await accounts.limits.registrations.begin(accounts.address)
  let userId: number | undefined
  try {
    userId = await insertAccount(accounts, input)
    accounts.mail?.wake()
    return userId
  } finally {
    await endRegistration({ counts: userId !== undefined })
  }
}

async function insertAccount(
  { db, limits, address, mail }: Newcomer,
  input: NewAccount,
): Promise<number> {
  const { username, email, displayName, isAdmitted = false, within } = input
  const endConflict = await limits.registrationConflicts.begin(address)
  let isTaken = false
  try {
    if (!isAdmitted) await requireRegistrationOpen(db, input)
    const password = await input.password()
    return await inTransaction(db, async (transaction) => {
      const isAdmin = isAdmitted ? 0 : await admit(transaction, input)
      isTaken = await isSquadTag(transaction, username)
      if (isTaken) throw nameTaken()
      const createdAt = timestamp()
      const account = { username, email, displayName, password, isAdmin, createdAt }
      const id = await insertUser(transaction, account)
      await mail?.post(transaction, verificationLetter, { userId: id, data: { address: email } })
      if (isAdmin) {
        const target = { kind: 'member', id, name: username } as const
        await insertAuditEntry(transaction, { actor: null, action: 'member.setup-admin', target })
      }
      await within?.(transaction, id)
      await memberJoined.raise({ db: transaction, userId: id })
      return id
    })
  } catch (error) {
    if (isTaken || !isUniqueViolation(error)) throw error
    isTaken = true
    throw nameTaken()
  } finally {
    await endConflict({ counts: isTaken })
  }
}

const nameTaken = () => new AppError('conflict', 'Username or email is already in use.')
