import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openDisk } from './disk.ts'
import { openFolderStore } from './folder-store.ts'
import type { MediaStore } from './media-store.ts'
import type { S3Limits } from './s3/s3-requests.ts'

const CACHE_FOLDER = 'cache'

/** Opens the store that the settings name. What another one needs is loaded only then. */
export async function openMediaStore(
  { dataFolder, media: { store, cacheBytes } }: Pick<Config, 'dataFolder' | 'media'>,
  limits?: S3Limits,
): Promise<MediaStore> {
  if (!store) return openFolderStore(dataFolder)
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(store, {
    cacheFolder: join(dataFolder, CACHE_FOLDER),
    cacheBytes,
    freeBytes: openDisk(dataFolder).freeBytes,
    ...(limits && { limits }),
  })
}
