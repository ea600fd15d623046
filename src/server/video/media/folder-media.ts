import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import { ConfigError } from '#server/platform/errors.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { listFoldersInBatches } from '#server/platform/files/stored-folders.ts'
import { listKnownMedia } from './media-folder.queries.ts'

const FOLDERS_AT_ONCE = 100

/**
 * For a site on PostgreSQL, whose nodes would each take for lost what lies in the folder of another one.
 * @throws ConfigError while files that rows speak of lie in a data folder
 */
export async function requireNoMedia(db: Database, dataFolder: string): Promise<void> {
  const media = openFolderStore(dataFolder)
  for await (const folders of listFoldersInBatches(media, 'media', FOLDERS_AT_ONCE)) {
    const names = folders.map(({ name }) => name)
    if ((await listKnownMedia(db, names)).length === 0) continue
    throw new ConfigError(
      `There are videos of this site in ${join(dataFolder, 'media')}, and the nodes of a site on PostgreSQL share no folder. ` +
        'Move them first: npm run move-media -- folder s3://bucket/prefix.',
    )
  }
}
