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
/** Read at a time: from a store elsewhere each is a request. */
const FILES_AT_A_TIME = 4

export type ReadSoFar = { files: number; ofFiles: number; bytes: number }

type DeepCheck = {
  problems: Problem[]
  /** What was there, and read. */
  read: { files: number; bytes: number }
  /** Of how many files the hash is known only now. */
  noted: number
}

/**
 * Reads every file that a row speaks of, wherever it lies, and compares it with the hash in its row. A row that has none gets
 * that of the file as it is.
 * @param onRead is called after each file
 * @throws StoreError when the store of videos does not answer
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
      // One that should be there is named by the check of rows and files.
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

/** Looks once more: its row may have been deleted meanwhile, and a store may have answered with something else. */
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
