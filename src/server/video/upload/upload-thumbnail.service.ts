import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { requireRoom } from '#server/account/room/room.service.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { requirePngOrJpeg } from '#server/platform/files/picture.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { redrawPicture } from '../media/redraw-picture.ts'
import { requireReceiving } from './upload.access.ts'
import { updateUploadThumbnail } from './upload.queries.ts'
import { keepThumbnail, removeOtherThumbnails } from './upload-files.ts'
import { withUploadLock } from './upload-lock.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline'>

/**
 * No metadata remains.
 * @throws `unsupported` unless PNG or JPEG by its bytes, `unprocessable` when undecodable,
 * `conflict`, `gone`, `too-large`, `no-space`
 */
export async function receiveThumbnail(
  deps: Deps,
  input: { uploadId: string; bytes: Buffer; viewer: Viewer },
): Promise<string> {
  const { uploadId, bytes, viewer } = input
  requirePngOrJpeg(bytes, 'The thumbnail')
  return withUploadLock(deps.db, uploadId, async () => {
    const upload = await requireReceiving(deps, { id: uploadId, viewer })
    const folder = deps.disk.uploadFolder(uploadId)
    const work = join(folder, 'thumbnail-work')
    await mkdir(work, { recursive: true })
    try {
      const sourcePath = join(work, 'source')
      const outputPath = join(work, 'thumbnail.jpg')
      await writeFile(sourcePath, bytes)
      const options = { memberId: viewer.id, signal: deps.deadline }
      await redrawPicture({ sourcePath, outputPath }, options)
      await syncFile(outputPath)
      const name = `thumbnail-${randomBytes(6).toString('hex')}.jpg`
      const thumbnailUrl = mediaUrl(upload.mediaKey, name)
      const thumbnailBytes = (await stat(outputPath)).size
      await countThumbnail(deps, { upload, thumbnailBytes })
      await rename(outputPath, join(folder, name))
      await syncFolder(folder)
      await keepThumbnail(deps, { uploadId, name })
      failpoint('thumbnail.moved')
      await updateUploadThumbnail(deps.db, { id: uploadId, thumbnailUrl })
      failpoint('thumbnail.recorded')
      await removeOtherThumbnails(deps, { uploadId, name })
      await updateUploadThumbnail(deps.db, { id: uploadId, thumbnailBytes })
      return thumbnailUrl
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  })
}

/** Both count until the old one is deleted. What a crash leaves goes with the upload. */
async function countThumbnail(
  { config, db, disk }: Deps,
  { upload, thumbnailBytes }: { upload: UploadRow; thumbnailBytes: number },
): Promise<void> {
  const { id, userId } = upload
  const room = { config, userId, bytes: thumbnailBytes, freeBytes: await disk.freeBytes() }
  await inTransaction(db, async (transaction) => {
    await requireRoom(transaction, room)
    const both = upload.thumbnailBytes + thumbnailBytes
    await updateUploadThumbnail(transaction, { id, thumbnailBytes: both })
  })
}
