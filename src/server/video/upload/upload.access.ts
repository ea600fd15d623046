import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findUpload } from './upload.queries.ts'

/** @throws `not-found`, also for another member's upload */
export async function requireUpload(
  { db }: Pick<AppDeps, 'db'>,
  input: { id: string; viewer: Viewer },
): Promise<UploadRow> {
  const upload = await findUpload(db, { id: input.id, userId: input.viewer.id })
  if (!upload) throw new AppError('not-found', 'There is no such upload.')
  return upload
}

/** @throws `conflict` when completed, `gone` when expired */
export async function requireReceiving(
  deps: Pick<AppDeps, 'db'>,
  input: { id: string; viewer: Viewer },
): Promise<UploadRow> {
  const upload = await requireUpload(deps, input)
  if (upload.state === 'receiving') return upload
  if (upload.state === 'expired') throw uploadExpired()
  throw new AppError('conflict', 'This upload is already completed.')
}

export function uploadExpired(): AppError {
  return new AppError('gone', 'This upload has expired. Please start it again.')
}
