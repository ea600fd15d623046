import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { isSafeName } from '#server/platform/files/safe-keys.ts'
import { listOpenUploads, listOverUploads } from './media-folder.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'disk'>

const AT_A_TIME = 500
const ORPHAN_AGE_MS = 60 * 60 * 1000

export function uploadPrefix(uploadId: string): string {
  return `uploads/${uploadId}/`
}

/** Each node has some chunks; one ends the upload. */
export async function removeOverUploads({ db, disk }: Deps): Promise<void> {
  for await (const names of listFolders(disk)) {
    for (const id of await listOverUploads(db, names)) await removeFolder(disk.uploadFolder(id))
  }
}

/** Also empty ones; unchanged for an hour. */
export async function findUnknownUploads({ db, disk }: Deps): Promise<string[]> {
  const found: string[] = []
  for await (const names of listFolders(disk)) {
    const open = new Set(await listOpenUploads(db, names))
    for (const name of names.filter((one) => !open.has(one))) {
      const { mtimeMs } = await stat(join(disk.folders.uploads, name))
      if (Date.now() - mtimeMs > ORPHAN_AGE_MS) found.push(uploadPrefix(name))
    }
  }
  return found
}

export async function removeUploadFolder(disk: Disk, prefix: string): Promise<void> {
  const [, uploadId] = /^uploads\/([^/]+)\/$/.exec(prefix) ?? []
  if (uploadId) await removeFolder(disk.uploadFolder(uploadId))
}

async function* listFolders(disk: Disk): AsyncGenerator<string[]> {
  let names: string[] = []
  for await (const { name } of await opendir(disk.folders.uploads)) {
    if (isSafeName(name)) names.push(name)
    if (names.length < AT_A_TIME) continue
    yield names
    names = []
  }
  if (names.length > 0) yield names
}
