import { setTimeout as pause } from 'node:timers/promises'
import type { QueryExecutorProvider } from 'kysely'
import { clusterOf, type Release } from './cluster.ts'

/**
 * Across nodes. A process that loses its connection loses its locks but continues: rows must stay
 * consistent without.
 * @throws when the database is away for some seconds
 */
export function withLock<Result>(
  db: QueryExecutorProvider,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return clusterOf(db).locks.withLock(name, work)
}

/** @returns undefined when held */
export function tryLock(db: QueryExecutorProvider, name: string): Promise<Release | undefined> {
  return clusterOf(db).locks.tryLock(name)
}

/** @returns false, without running, while the lock is held */
export async function runAlone(
  db: QueryExecutorProvider,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const release = await tryLock(db, name)
  if (!release) return false
  try {
    await work()
  } finally {
    await release()
  }
  return true
}

const FIRST_POLL_MS = 10
const LONGEST_POLL_MS = 250

export async function waitForLock(acquire: () => Promise<Release | undefined>): Promise<Release> {
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
    const release = await acquire()
    if (release) return release
    await pause(wait * (0.5 + Math.random() / 2))
  }
}
