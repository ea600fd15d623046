import { hash, verify } from '@node-rs/argon2'
import { createHashingQueue } from './hashing-queue.ts'

// OWASP's second recommendation: 19 MiB, two passes, one lane.
const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * More would take file access its threads, and 19 MiB each. A full queue takes some seconds; rate
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
 * As long without a hash (unknown user).
 * @throws `too-many` when the queue is full
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const known = stored ?? (await unknownUserHash)
  const matches = await queue.run(() => verify(known, password))
  return matches && stored !== undefined
}

const unknownUserHash = hashPassword('nobody has this password')
