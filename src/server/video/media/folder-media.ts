import type { Database } from '#server/platform/db/database.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { listFoldersInBatches } from '#server/platform/files/stored-folders.ts'
import { listKnownMedia } from './media-folder.queries.ts'

const FOLDERS_AT_ONCE = 100

/** Whether files that rows speak of lie in a data folder, where the other nodes of a site do not find them. */
export async function hasMediaInFolder(db: Database, dataFolder: string): Promise<boolean> {
  const media = openFolderStore(dataFolder)
  for await (const folders of listFoldersInBatches(media, 'media', FOLDERS_AT_ONCE)) {
    const names = folders.map(({ name }) => name)
    if ((await listKnownMedia(db, names)).length > 0) return true
  }
  return false
}
