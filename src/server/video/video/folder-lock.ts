import { withLock } from '#server/platform/cluster/locks.ts'
import type { Database } from '#server/platform/db/database.ts'

export function withFolderLock<Result>(
  db: Database,
  mediaKey: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return withLock(db, `media:${mediaKey}`, work)
}
