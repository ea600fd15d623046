import type { Database } from '../db/database.ts'
import { lineOf } from '../db/engine.ts'

/**
 * Skips the work while any process on the database runs some under this name.
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
