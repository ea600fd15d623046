import type { Config } from '../config.ts'
import { backupIsRunning } from '../db/maintain.ts'
import { type MediaStore, StoreError, storeKey } from './media-store.ts'

/**
 * Deletes all files under a media key, or the one of a name, that no row speaks of any more.
 * @returns false when they stay for the janitor: a backup runs, or the store does not delete them now
 */
export async function removeMedia(
  { config, media }: { config: Pick<Config, 'dataFolder'>; media: MediaStore },
  { mediaKey, name = '' }: { mediaKey: string; name?: string },
): Promise<boolean> {
  if (backupIsRunning(config.dataFolder)) return false
  try {
    await media.removePrefix(storeKey(mediaKey, name))
    return true
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}
