import type { Database } from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'

/** One writer per upload among all processes. */
export function withUploadLock<Result>(
  db: Database,
  uploadId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return lineOf(db).withLock(`upload:${uploadId}`, work)
}
