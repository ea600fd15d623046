import { hash, randomBytes } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { RECOVERY_CODES } from '#shared/limits.ts'
import { encodeBase32, inGroups } from '../time-code/base32.ts'
import {
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCodes,
} from './recovery-code.queries.ts'

/** 80 bits: too many to guess, even with a copy of the table and a fast hash. */
const CODE_BYTES = 10

/** Ends earlier ones. @returns the only copy */
export async function renewRecoveryCodes(db: Database, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    encodeBase32(randomBytes(CODE_BYTES)).toLowerCase(),
  )
  await deleteRecoveryCodes(db, userId)
  await insertRecoveryCodes(db, { userId, hashes: codes.map(digest) })
  return codes.map((code) => inGroups(code, '-'))
}

/** Returns whether the code was right; it works once. */
export function spendRecoveryCode(
  db: Database,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  return deleteRecoveryCode(db, { userId, codeHash: digest(code.toLowerCase()) })
}

const digest = (code: string) => hash('sha256', code, 'hex')
