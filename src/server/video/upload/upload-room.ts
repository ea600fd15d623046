import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { formatBytes } from '#shared/text/format.ts'
import { findUserQuota, sumReservedBytes, sumUserBytes } from './upload.queries.ts'

/**
 * Whether a file fits into what its owner may store, and onto the disk beside all open uploads.
 * @throws AppError `too-large` over the quota, `no-space`
 */
export async function requireFreeSpace(
  { db, media, config }: Pick<AppDeps, 'config' | 'db' | 'media'>,
  input: { fileSize: number; userId: number },
): Promise<void> {
  const quota = (await findUserQuota(db, input.userId)) ?? config.userQuotaBytes
  if (quota !== undefined && (await sumUserBytes(db, input.userId)) + input.fileSize > quota) {
    throw new AppError(
      'too-large',
      `This file would take you over your storage quota of ${formatBytes(quota)}.`,
    )
  }
  if ((await media.freeBytes()) - (await sumReservedBytes(db)) < input.fileSize) {
    throw new AppError('no-space', 'The server has no room left for a file of this size.')
  }
}
