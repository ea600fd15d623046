import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppDeps } from '../deps.ts'
import { upsertFileHash } from '../files/file-hash.queries.ts'
import { measureFile } from '../files/file-hash.ts'
import { mediaUrl, storeKey } from '../files/media-store.ts'
import { requirePngOrJpeg } from '../files/picture.ts'
import { removeMedia } from '../files/remove-media.ts'
import type { Viewer } from '../viewer.ts'

export type PictureDeps = Pick<
  AppDeps,
  'config' | 'db' | 'disk' | 'media' | 'redrawPicture' | 'deadline'
>

type GivenPicture = {
  bytes: Buffer
  viewer: Pick<Viewer, 'id'>
  /** The beginning of the file name; a digest follows. */
  name: 'avatar' | 'banner' | 'logo' | 'art'
  /** How error messages name the picture. */
  subject: string
  /** PNG keeps transparency. */
  extension: 'png' | 'jpg'
  box: { width: number; height: number }
}

type DrawnPicture = {
  url: string
  bytes: number
  /** Moves the file to the media store. */
  put: () => Promise<void>
}

/**
 * Redraws a picture in a child process.
 * @param store puts the picture and records its address
 * @returns the address
 * @throws `unsupported`, `unprocessable` if it cannot be decoded
 */
export async function storePicture(
  deps: PictureDeps,
  { bytes, viewer, box, ...picture }: GivenPicture,
  store: (drawn: DrawnPicture) => Promise<void>,
): Promise<string> {
  requirePngOrJpeg(bytes, picture.subject)
  const mediaKey = randomBytes(16).toString('hex')
  const work = await deps.disk.openWorkFolder(`picture-${mediaKey}`)
  try {
    const sourcePath = join(work, 'source')
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const name = `${picture.name}-${digest}.${picture.extension}`
    const path = join(work, name)
    await writeFile(sourcePath, bytes)
    const options = { memberId: viewer.id, signal: deps.deadline }
    await deps.redrawPicture({ sourcePath, outputPath: path, box }, options)
    const file = await measureFile(work, name)
    const put = async () => {
      await deps.media.put([{ key: storeKey(mediaKey, name), path }])
      await upsertFileHash(deps.db, { mediaKey, ...file })
    }
    await store({ url: mediaUrl(mediaKey, name), bytes: file.bytes, put })
    return mediaUrl(mediaKey, name)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** @returns false when the janitor has to retry */
export async function removePictureAt(
  deps: Pick<PictureDeps, 'config' | 'media'>,
  url: string | null | undefined,
): Promise<boolean> {
  const mediaKey = url?.split('/')[2]
  return mediaKey === undefined || removeMedia(deps, { mediaKey })
}
