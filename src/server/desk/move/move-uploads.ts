import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import { listFolders } from '#server/platform/files/stored-folders.ts'
import { listOpenUploads } from '#server/video/media/media-folder.queries.ts'
import { copyStored, type Route } from './move-file.ts'

/** @returns uploads with parts still there, as the data folder takes none */
export async function moveUploads(
  route: Route & { db: Database; dataFolder: string },
): Promise<number> {
  const { db, dataFolder, from, to } = route
  let left = 0
  if (!from.remote) return left
  for await (const { name, files } of listFolders(from, 'uploads')) {
    const isOpen = (await listOpenUploads(db, [name])).length > 0
    if (isOpen && !to.remote) {
      left++
      continue
    }
    for (const [file, bytes] of isOpen ? files : []) {
      const path = join(dataFolder, `move.partial-${name}`)
      await copyStored(route, { key: `uploads/${name}/${file}`, bytes, path })
    }
    await from.removePrefix(`uploads/${name}/`)
  }
  return left
}
