import type { MediaStore, StoredFile } from './media-store.ts'

/** The files whose keys have the first two parts in common: those of a video, or of an upload. */
export type StoredFolder = {
  /** The second part: a media key, or the id of an upload. */
  name: string
  /** Bytes of each file, by its name. */
  files: Map<string, number>
  /** When the last of them came. */
  changedAt: Date
}

/** Walks through all that a store has below `media/` or `uploads/`, in the order of the names; one folder is in memory. */
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

/** The same, some folders at a time. */
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
