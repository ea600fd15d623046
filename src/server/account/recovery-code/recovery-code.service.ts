import { randomBytes } from 'node:crypto'
import { encodeBase32LowerCaseNoPadding } from '@oslojs/encoding'
import type { Database } from '#server/platform/db/database.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import { RECOVERY_CODES } from '#shared/limits.ts'
import { inGroups } from '../time-code/in-groups.ts'
import {
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCodes,
} from './recovery-code.queries.ts'

/** 80 bits, which are too many to guess even with a copy of the table and a fast hash. */
const CODE_BYTES = 10

/**
 * Replaces earlier codes.
 * @returns the new codes, of which only hashes are stored
 */
export async function renewRecoveryCodes(db: Database, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    encodeBase32LowerCaseNoPadding(randomBytes(CODE_BYTES)),
  )
  await deleteRecoveryCodes(db, userId)
  await insertRecoveryCodes(db, { userId, hashes: codes.map(digestOf) })
  return codes.map((code) => inGroups(code, '-'))
}

/** Returns true if the code was right. It does not work a second time. */
export function spendRecoveryCode(
  db: Database,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  return deleteRecoveryCode(db, { userId, codeHash: digestOf(code.toLowerCase()) })
}
