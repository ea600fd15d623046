import type { Database } from '#server/platform/db/database.ts'
import { listForeignParts } from '#server/platform/db/known-schema.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { listOddEntries } from '#server/platform/files/plain-files.ts'
import { listUnsafeNames } from './unsafe-names.queries.ts'

/**
 * Reason against copying, as a clause: the backup may be forged. The doctor reports all
 * reasons.
 */
export async function findDistrust(db: Database): Promise<string | undefined> {
  const [foreign] = await listForeignParts(db)
  if (foreign !== undefined) return `in the database ${foreign}`
  const [unsafe] = await listUnsafeNames(db)
  return unsafe && `${unsafe} could lead out of its folder`
}

export async function findOddMedia(dataFolder: string): Promise<string | undefined> {
  const [odd] = await listOddEntries(openDisk(dataFolder).folders.media, 1)
  return odd && `media/${odd} is neither a plain file nor a folder`
}
