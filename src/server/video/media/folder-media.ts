import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import { ConfigError } from '#server/platform/errors.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { listFoldersInBatches } from '#server/platform/files/stored-folders.ts'
import { listKnownMedia } from './media-folder.queries.ts'

const FOLDERS_AT_ONCE = 100

/**
 * On PostgreSQL, nodes would report each other's local files as lost.
 * @throws ConfigError while a data folder holds files that rows refer to
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
