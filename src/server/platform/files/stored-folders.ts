import type { MediaStore, StoredFile } from './media-store.ts'

export type StoredFolder = {
  name: string
  files: Map<string, number>
  /** Time of the newest file. */
  changedAt: Date
}

/** By name, one folder in memory. */
export async function* listFolders(
  media: MediaStore,
  area: 'media' | 'uploads',
): AsyncGenerator<StoredFolder, void, void> {
  let folder: StoredFolder | undefined
  for await (const file of media.list(`${area}/`)) {
    const [, name = '', ...rest] = file.key.split('/')
    if (rest.length === 0) continue
    if (folder && folder.name !== name) yield folder
    if (folder?.name !== name) folder = { name, files: new Map(), changedAt: file.modifiedAt }
    add(folder, file, rest.join('/'))
  }
  if (folder) yield folder
}

function add(folder: StoredFolder, { bytes, modifiedAt }: StoredFile, name: string): void {
  folder.files.set(name, bytes)
  if (modifiedAt > folder.changedAt) folder.changedAt = modifiedAt
}

export async function* listFoldersInBatches(
  media: MediaStore,
  area: 'media' | 'uploads',
  size: number,
): AsyncGenerator<StoredFolder[], void, void> {
  let batch: StoredFolder[] = []
  for await (const folder of listFolders(media, area)) {
    batch.push(folder)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
