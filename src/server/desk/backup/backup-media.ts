import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncFile, syncFolder } from '#server/platform/durable-files.ts'
import { hashStored } from '#server/platform/files/file-hash.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { listFolders } from '#server/platform/files/stored-folders.ts'
import { eachOf, linkOrCopy } from '../site-check/stored-files.ts'
import type { ListedFile } from './backup-manifest.ts'

const keyOf = (path: string) => `media/${path}`

const AT_A_TIME = 4

export async function listStoredMedia(
  media: MediaStore,
  keys: ReadonlySet<string>,
): Promise<ListedFile[]> {
  const listed: ListedFile[] = []
  for await (const { name, files } of listFolders(media, 'media')) {
    if (!keys.has(name)) continue
    for (const [file, bytes] of files) listed.push({ path: `${name}/${file}`, bytes })
  }
  return listed
}

/**
 * Durable; without deleted files.
 * @returns fetched files with hashes
 */
export async function fetchMedia(
  media: MediaStore,
  input: { files: ListedFile[]; folder: string },
): Promise<ListedFile[]> {
  const fetched: ListedFile[] = []
  const folders = new Set<string>()
  const fetch = async ({ path }: ListedFile) => {
    const target = join(input.folder, path)
    const body = await media.openRange(keyOf(path))
    if (!body) return
    await mkdir(dirname(target), { recursive: true })
    folders.add(dirname(target))
    const hash = createHash('sha256')
    let bytes = 0
    const count = new Transform({
      transform(piece: Buffer, _, done) {
        hash.update(piece)
        bytes += piece.length
        done(null, piece)
      },
    })
    await pipeline(body, count, createWriteStream(target))
    await syncFile(target)
    fetched.push({ path, bytes, sha256: hash.digest('hex') })
  }
  await eachOf(input.files, fetch, AT_A_TIME)
  for (const folder of folders) await syncFolder(folder)
  await syncFolder(input.folder)
  return fetched.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Skips existing files; the backup stays as it is. */
export async function putMedia(
  media: MediaStore,
  input: { files: ListedFile[]; folder: string; work: string },
): Promise<void> {
  const { files, folder, work } = input
  await mkdir(work, { recursive: true })
  let number = 0
  const put = async (file: ListedFile) => {
    const key = keyOf(file.path)
    if (await isStored(media, file)) return
    // The store consumes the files.
    const path = join(work, String(number++))
    await linkOrCopy(join(folder, file.path), path)
    await media.put([{ key, path }])
  }
  await eachOf(files, put, AT_A_TIME)
  await rm(work, { recursive: true, force: true })
}

async function isStored(media: MediaStore, { path, bytes, sha256 }: ListedFile): Promise<boolean> {
  const key = keyOf(path)
  if (sha256 === undefined || (await media.stat(key))?.bytes !== bytes) return false
  return (await hashStored(media, key)) === sha256
}
