import { createHash, randomBytes } from 'node:crypto'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSetupCodeHash, hasAdmin, updateSetupCodeHash } from './auth.queries.ts'

const CODE_BYTES = 16

/**
 * Makes the code with which a user registers as the admin of a site that has none; one made before ends.
 * See docs/decisions/0024-sessions-and-passwords.md.
 * @returns its only copy, for the terminal; undefined for a site that has an admin
 */
export async function renewSetupCode(db: Database): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    const code = (await hasAdmin(transaction))
      ? undefined
      : randomBytes(CODE_BYTES).toString('base64url')
    await updateSetupCodeHash(transaction, code === undefined ? null : digest(code))
    return code
  })
}

/** @throws AppError `forbidden` for a code that is wrong, used or of an earlier start */
export async function requireSetupCode(db: Database, code: string): Promise<void> {
  const isRight = (await findSetupCodeHash(db)) === digest(code)
  if (isRight && !(await hasAdmin(db))) return
  throw new AppError(
    'forbidden',
    'This setup link is used or too old. The right one is what the terminal of the site printed last.',
  )
}

/** For the first admin: from now on the code lets nobody in. */
export async function endSetup(db: Database): Promise<void> {
  await updateSetupCodeHash(db, null)
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
