import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { ConfigError } from '../errors.ts'
import { openDisk } from './disk.ts'
import { openFolderStore } from './folder-store.ts'
import { type MediaStore, StoreError } from './media-store.ts'

const CACHE_FOLDER = 'cache'
/** The start does not wait longer for a store that does not answer. */
const CHECK_MS = 5000

/** Opens the store that the settings name. What another one needs is loaded only then. */
export async function openMediaStore({
  dataFolder,
  media: { store, cacheBytes },
}: Pick<Config, 'dataFolder' | 'media'>): Promise<MediaStore> {
  if (!store) return openFolderStore(dataFolder)
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(store, {
    cacheFolder: join(dataFolder, CACHE_FOLDER),
    cacheBytes,
    freeBytes: openDisk(dataFolder).freeBytes,
  })
}

/**
 * Asks a store elsewhere whether it lets the site in.
 * @returns why it does not answer for now, which may pass; undefined when it does
 * @throws ConfigError where the bucket or the key is wrong
 */
export async function checkMediaStore({ list, remote }: MediaStore): Promise<string | undefined> {
  if (!remote) return undefined
  const asking = list('media/')[Symbol.asyncIterator]().next()
  const answer = asking.then(
    () => undefined,
    (error: unknown) => error,
  )
  const failure = await Promise.race([answer, pause(CHECK_MS, undefined, { ref: false })])
  if (failure instanceof StoreError && failure.reason === 'refused') {
    throw new ConfigError(`MEDIA_STORE cannot be used. ${failure.message}`)
  }
  return remote.problem()
}
