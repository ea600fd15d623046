import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { BackupRefusedError } from '../backup-refusal.ts'

/** age format (age-encryption.org). */
export async function sealFile(input: {
  from: string
  to: string
  recipient: string
}): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(input.recipient)
  const sealed = await encrypter.encrypt(readFile(input.from))
  await pipeline(Readable.fromWeb(sealed as ReadableStream), createWriteStream(input.to))
}

/** @throws BackupRefusedError for a wrong `identity` or a changed file */
export async function openSealedFile(input: {
  from: string
  to: string
  identity: string
}): Promise<void> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(input.identity)
  try {
    const plain = await decrypter.decrypt(readFile(input.from))
    await pipeline(Readable.fromWeb(plain as ReadableStream), createWriteStream(input.to))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
    throw new BackupRefusedError(
      'BACKUP_AGE_IDENTITY does not open the backup, or the backup is damaged.',
    )
  }
}

function readFile(path: string) {
  const bytes = createReadStream(path, { highWaterMark: 1024 * 1024 })
  return Readable.toWeb(bytes) as unknown as globalThis.ReadableStream<Uint8Array>
}
