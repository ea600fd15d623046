import { withLock } from '#server/platform/cluster/locks.ts'
import type { Database } from '#server/platform/db/database.ts'

export function withUploadLock<Result>(
  db: Database,
  uploadId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return withLock(db, `upload:${uploadId}`, work)
}
