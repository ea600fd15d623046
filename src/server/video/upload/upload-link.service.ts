import { inTransaction, reserveVideoId } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireReceiving } from './upload.access.ts'
import { updateReservedVideo } from './upload.queries.ts'
import { withUploadLock } from './upload-lock.ts'

/**
 * Gives the upload the id that its video will have, so that its page exists from now on. Idempotent.
 * See docs/decisions/0093-the-link-before-the-upload-ends.md.
 * @throws `conflict` when completed, or for a replacement; `gone` when expired
 */
export async function openUploadLink(
  deps: Pick<AppDeps, 'db'>,
  { uploadId, viewer }: { uploadId: string; viewer: Viewer },
): Promise<number> {
  return withUploadLock(deps.db, uploadId, () =>
    inTransaction(deps.db, async (transaction) => {
      const upload = await requireReceiving({ db: transaction }, { id: uploadId, viewer })
      if (upload.replacesVideoId !== null) {
        throw new AppError('conflict', 'This upload replaces a video, which has its link already.')
      }
      if (upload.reservedVideoId !== null) return upload.reservedVideoId
      const reservedVideoId = await reserveVideoId(transaction)
      await updateReservedVideo(transaction, { id: uploadId, reservedVideoId })
      return reservedVideoId
    }),
  )
}
