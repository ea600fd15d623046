import type { Database } from '../db/database.ts'
import { lineOf } from '../db/engine.ts'

/**
 * Runs work unless somebody, in any process on the database, runs some under the same name.
 * @returns whether it ran
 */
export async function runAlone(
  db: Database,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const release = await lineOf(db).tryLock(name)
  if (!release) return false
  try {
    await work()
  } finally {
    await release()
  }
  return true
}
