import { hash, verify } from '@node-rs/argon2'
import { createHashingQueue } from './hashing-queue.ts'

// OWASP's second recommendation for argon2id: 19 MiB, two passes, one lane.
const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * More at a time would keep the worker threads from reading files, and take 19 MiB each. Five hundred that
 * wait are done within some seconds, and no address has a tenth of them under way: the limits of failed
 * logins and of registrations hold a place for each.
 */
const queue = createHashingQueue({ parallel: 2, waitingMax: 500 })

/**
 * Hashes a password for storage, with a salt of its own; about 10 ms on a worker thread.
 * @throws AppError `too-many` when very many wait for theirs
 */
export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, OPTIONS))
}

/**
 * Checks a password against a stored hash. Without a hash (unknown user) it does the same work and
 * answers false, so that the time taken reveals nothing.
 * @throws AppError `too-many` when very many wait for theirs
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
