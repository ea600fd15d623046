import { randomBytes } from 'node:crypto'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import { findSetupCodeHash, hasAdmin, updateSetupCodeHash } from './auth.queries.ts'

const CODE_BYTES = 16

/**
 * Ends an earlier code. See docs/decisions/0024-sessions-and-passwords.md.
 * @returns the only copy, for the terminal; undefined when an admin exists
 */
export async function renewSetupCode(db: Database): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    const code = (await hasAdmin(transaction))
      ? undefined
      : randomBytes(CODE_BYTES).toString('base64url')
    await updateSetupCodeHash(transaction, code === undefined ? null : digestOf(code))
    return code
  })
}

/** @throws `forbidden` for a wrong, used or old code */
export async function requireSetupCode(db: Database, code: string): Promise<void> {
  const isRight = (await findSetupCodeHash(db)) === digestOf(code)
  if (isRight && !(await hasAdmin(db))) return
  throw new AppError(
    'forbidden',
    'This setup link is used or too old. The right one is what the terminal of the site printed last.',
  )
}

export async function endSetup(db: Database): Promise<void> {
  await updateSetupCodeHash(db, null)
}
