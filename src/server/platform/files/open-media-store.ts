import type { Config } from '../config.ts'
import { openFolderStore } from './folder-store.ts'
import type { MediaStore } from './media-store.ts'

/** Opens the store that the settings name. */
export async function openMediaStore({
  dataFolder,
}: Pick<Config, 'dataFolder'>): Promise<MediaStore> {
  return openFolderStore(dataFolder)
}
