import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'
import { isSameSecret } from '#server/platform/secret-digest.ts'
import { createHashingQueue } from './hashing-queue.ts'

// OWASP's second recommendation: 19 MiB, two passes, one lane.
const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The row of a forged backup could ask for days of work. */
const BOUNDED_HASH = /^\$argon2id\$v=19\$m=\d{1,5},t=\d,p=\d\$[\w+/]+\$[\w+/]+$/

/**
 * More would block the thread pool for files and take 19 MiB each. A full queue takes some seconds; rate
 * limits keep an address below a tenth of it.
 */
const queue = createHashingQueue({ parallel: 2, waitingMax: 500 })

/**
 * About 10 ms on a worker thread.
 * @throws `too-many` when the queue is full
 */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, OPTIONS))
}

/**
 * Takes the same time without a hash (unknown user) or with one that this site would not make.
 * @throws `too-many` when the queue is full
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const known = stored !== undefined && BOUNDED_HASH.test(stored) ? stored : undefined
  const compared = known ?? (await unknownUserHash)
  const matches = await queue.run(() => verify(compared, password))
  return matches && known !== undefined
}

/** Hashes of Werkzeug, which Fireshare stores. The limit of rounds keeps a check below half a second. */
const PBKDF2 = /^pbkdf2:sha256:([1-9]\d{3,6})\$([\w.+/-]{1,64})\$([\da-f]{64})$/
const PBKDF2_ROUNDS_MAX = 2_000_000
const PBKDF2_BYTES = 32

export function isImportedHash(stored: string): boolean {
  return Number(PBKDF2.exec(stored)?.[1] ?? Number.NaN) <= PBKDF2_ROUNDS_MAX
}

/** Does the same as `verifyPassword`, and also accepts imported hashes. */
export async function verifyLinkPassword(stored: string, password: string): Promise<boolean> {
  if (!isImportedHash(stored)) return verifyPassword(stored, password)
  const [, rounds = '', salt = '', digest = ''] = PBKDF2.exec(stored) ?? []
  const made = await queue.run(() =>
    promisify(pbkdf2)(password, salt, Number(rounds), PBKDF2_BYTES, 'sha256'),
  )
  return isSameSecret(made, Buffer.from(digest, 'hex'))
}

const unknownUserHash = hashPassword('nobody has this password')
