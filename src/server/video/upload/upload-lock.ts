import type { Database } from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'

/** Runs work after whatever runs for the same upload's id, in any process: one writer at a time. */
export function withUploadLock<Result>(
  db: Database,
  uploadId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return lineOf(db).withLock(`upload:${uploadId}`, work)
}
