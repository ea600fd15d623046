import { hash, verify } from '@node-rs/argon2'

// OWASP's second recommendation for argon2id: 19 MiB, two passes, one lane.
const ARGON2ID = 2
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** More would keep the worker threads from reading files, and take 19 MiB each. */
const PARALLEL = 2

/** Hashes a password for storage, with a salt of its own; about 10 ms on a worker thread. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, OPTIONS))
}

/**
 * Checks a password against a stored hash. Without a hash (unknown user) it does the same work and
 * answers false, so that the time taken tells nothing.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const known = stored ?? (await unknownUserHash)
  const matches = await inTurn(() => verify(known, password))
  return matches && stored !== undefined
}

let underWay = 0
const waiting: (() => void)[] = []

/** Runs `work` when fewer than `PARALLEL` others run, in the order of the calls. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay >= PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay--
  }
}

const unknownUserHash = hashPassword('nobody has this password')
