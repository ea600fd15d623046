import type { Config } from '../config.ts'
import { backupIsRunning } from '../db/maintain.ts'
import { type MediaStore, StoreError, storeKey } from './media-store.ts'

/**
 * Without a row.
 * @returns false when the janitor has to retry: during a backup or an outage
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
