import type { Database } from '#server/platform/db/database.ts'
import { hashStored, type MeasuredFile, measureStored } from '#server/platform/files/file-hash.ts'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import {
  countHashedFiles,
  findServedHash,
  type HashedFile,
  listHashedFiles,
  listHashedPictures,
  updateUnknownHashes,
} from './file-hash.queries.ts'
import { damaged, type Problem } from './problem.ts'
import { eachOf } from './stored-files.ts'

const VIDEOS_AT_A_TIME = 100
/** In a remote store each is a request. */
const FILES_AT_A_TIME = 4

export type ReadSoFar = { files: number; ofFiles: number; bytes: number }

type DeepCheck = {
  problems: Problem[]
  read: { files: number; bytes: number }
  noted: number
}

/**
 * Every file with its hash; records missing ones.
 * @param onRead per file
 * @throws StoreError
 */
export async function compareHashes(
  db: Database,
  media: MediaStore,
  onRead: (read: ReadSoFar) => void = () => {},
): Promise<DeepCheck> {
  const result: DeepCheck = { problems: [], read: { files: 0, bytes: 0 }, noted: 0 }
  const ofFiles = await countHashedFiles(db)
  let looked = 0
  for await (const files of listBatches(db)) {
    const unknown: (HashedFile & MeasuredFile)[] = []
    const compare = async (file: HashedFile) => {
      const found = await measureStored(media, storeKey(file.mediaKey, file.name))
      looked += 1
      result.read.bytes += found?.bytes ?? 0
      onRead({ files: looked, ofFiles: Math.max(ofFiles, looked), bytes: result.read.bytes })
      // Reported by the other check.
      if (found === undefined) return
      result.read.files += 1
      if (file.sha256 === null) unknown.push({ ...file, ...found })
      else if (found.sha256 !== file.sha256 && (await isDamaged(db, media, file))) {
        const path = storeKey(file.mediaKey, file.name)
        const sentence = `${path}, ${file.what}, does not have the bytes that were put there`
        result.problems.push(damaged(sentence))
      }
    }
    await eachOf(files, compare, FILES_AT_A_TIME)
    await updateUnknownHashes(db, unknown)
    result.noted += unknown.length
  }
  return result
}

/** Checks again: the row may be gone, or the store's answer wrong. */
async function isDamaged(db: Database, media: MediaStore, file: HashedFile): Promise<boolean> {
  const expected = file.isServed ? await findServedHash(db, file) : file.sha256
  if (!expected) return false
  const found = await hashStored(media, storeKey(file.mediaKey, file.name))
  return found !== undefined && found !== expected
}

async function* listBatches(db: Database): AsyncGenerator<HashedFile[]> {
  yield await listHashedPictures(db)
  for (let afterId = 0; ; ) {
    const { files, lastId } = await listHashedFiles(db, { afterId, limit: VIDEOS_AT_A_TIME })
    if (files.length === 0) return
    yield files
    afterId = lastId
  }
}
