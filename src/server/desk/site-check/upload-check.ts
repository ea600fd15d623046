import type { Database } from '#server/platform/db/database.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { type MediaStore, SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { isSafeName } from '#server/platform/files/safe-keys.ts'
import { listFolders } from '#server/platform/files/stored-folders.ts'
import { listChunks } from '#server/video/media/media-folder.queries.ts'
import { chunkKey, listStrayChunks } from '#server/video/media/stored-chunks.ts'
import { chunkLength } from '#server/video/upload/chunk-store.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { listOpenUploads } from './file-check.queries.ts'
import { damaged, missing, orphaned, type Problem } from './problem.ts'
import { listNames, listStoredFiles, type StoredFiles } from './stored-files.ts'

export type OpenUpload = Awaited<ReturnType<typeof listOpenUploads>>[number]

type Uploads = {
  open: OpenUpload[]
  /** By path below `uploads/`. */
  local: StoredFiles
  names: string[]
  keys: Set<string>
}

export async function checkUploads(
  db: Database,
  input: { dataFolder: string; media: MediaStore; open: OpenUpload[]; keys: Set<string> },
): Promise<Problem[]> {
  const { dataFolder, media, open, keys } = input
  const folder = openDisk(dataFolder).folders.uploads
  const names = (await listNames(folder)).filter(isSafeName)
  const uploads: Uploads = { open, local: await listStoredFiles(folder), names, keys }
  const ids = new Set(open.map((upload) => upload.id))
  const left = names.filter((name) => !ids.has(name)).map((name) => orphaned(`uploads/${name}`))
  if (media.remote) return [...left, ...(await checkStoredChunks(db, { media, uploads }))]
  return [...left, ...open.flatMap((upload) => checkLocalFile(upload, uploads))]
}

function checkLocalFile(upload: OpenUpload, { local, names, keys }: Uploads): Problem[] {
  const path = `${upload.id}/${SOURCE_FILE}`
  const what = describe(upload)
  if (upload.prepared) {
    const moved = keys.has(upload.mediaKey) || names.includes(upload.id)
    return moved ? [] : [missing(`media/${upload.mediaKey}, ${what}`)]
  }
  const bytes = local.get(path)
  if (bytes === undefined) return [missing(`uploads/${path}, ${what}`)]
  const { lastChunk, fileSize } = upload
  if (lastChunk === null) return []
  const recorded = lastChunk * UPLOAD_CHUNK_BYTES + chunkLength(fileSize, lastChunk)
  if (bytes >= recorded) return []
  return [damaged(`uploads/${path}, ${what}, has ${bytes} of the ${recorded} bytes recorded`)]
}

/** `complete` reads the local file, then the store. */
async function checkStoredChunks(
  db: Database,
  { media, uploads }: { media: MediaStore; uploads: Uploads },
): Promise<Problem[]> {
  const { open, local, names } = uploads
  const problems: Problem[] = []
  const stored = new Map<string, number>()
  const ids = open.map(({ id }) => id)
  const chunks = await listChunks(db, ids)
  for await (const folder of listFolders(media, 'uploads')) {
    const isOpen = ids.includes(folder.name)
    const isListed = names.includes(folder.name)
    if (!isOpen && !isListed) problems.push(orphaned(`uploads/${folder.name}`))
    problems.push(...listStrayChunks([folder], { open: ids, chunks }).map(orphaned))
    if (!isOpen) continue
    for (const [name, bytes] of folder.files) stored.set(`uploads/${folder.name}/${name}`, bytes)
  }
  for (const upload of open) {
    if (upload.prepared) {
      problems.push(...checkLocalFile(upload, uploads))
      continue
    }
    const here = local.get(`${upload.id}/${SOURCE_FILE}`) ?? 0
    for (const chunk of chunks.filter(({ uploadId }) => uploadId === upload.id)) {
      const key = chunkKey(upload.id, chunk.chunkIndex, chunk.hash)
      const length = chunkLength(upload.fileSize, chunk.chunkIndex)
      const isHere = here >= chunk.chunkIndex * UPLOAD_CHUNK_BYTES + length
      const bytes = stored.get(key)
      const what = `a part of ${describe(upload)}`
      if (isHere || bytes === length) continue
      if (bytes === undefined) problems.push(missing(`${key}, ${what}`))
      else problems.push(damaged(`${key}, ${what}, has ${bytes} of ${length} bytes`))
    }
  }
  return problems
}

const describe = ({ fileName }: OpenUpload) => `the file of the open upload "${fileName}"`
