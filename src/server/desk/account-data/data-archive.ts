import type { Database } from '#server/platform/db/database.ts'
import type { ByteRange } from '#server/platform/files/byte-range.ts'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import { readTar, type TarEntry } from '../backup/tar.ts'
import { ARCHIVE_FOLDER } from './archive-paths.ts'
import {
  type DataExport,
  type ExportFile,
  findPart,
  listFiles,
  listParts,
} from './data-export.queries.ts'

type ArchiveEntry = TarEntry & { file: ExportFile | null }
type Part = Awaited<ReturnType<typeof listParts>>[number]
export type DataArchive = { exportId: number; entries: ArchiveEntry[]; parts: Part[] }

/** `account.json` comes first, so that it can be read without downloading the rest. */
export function listEntries(input: {
  jsonBytes: number
  files: readonly ExportFile[]
  madeAt: Date
}): ArchiveEntry[] {
  const { jsonBytes, files, madeAt: modifiedAt } = input
  const nameOf = (path: string) => `${ARCHIVE_FOLDER}/${path}`
  return [
    { name: nameOf('account.json'), bytes: jsonBytes, modifiedAt, file: null },
    ...files.map((file) => ({ name: nameOf(file.path), bytes: file.bytes, modifiedAt, file })),
  ]
}

/** Returns the same entries at each call, so that ranges from different requests fit together. */
export async function readDataArchive(
  db: Database,
  { id: exportId, finishedAt }: Pick<DataExport, 'id' | 'finishedAt'>,
): Promise<DataArchive> {
  const parts = await listParts(db, exportId)
  const jsonBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const files = await listFiles(db, exportId)
  const madeAt = new Date(finishedAt ?? 0)
  return { exportId, parts, entries: listEntries({ jsonBytes, files, madeAt }) }
}

export function streamDataArchive(
  { db, media }: { db: Database; media: MediaStore },
  { archive, range }: { archive: DataArchive; range: ByteRange },
): AsyncGenerator<Buffer> {
  const { exportId, entries, parts } = archive
  return readTar(entries, {
    range,
    async open({ file }, within) {
      if (file === null) return readText(db, { exportId, parts, range: within })
      const body = await media.openRange(storeKey(file.mediaKey, file.name), within)
      if (!body) throw new RangeError(`${file.path} is gone.`)
      return body as AsyncIterable<Buffer>
    },
  })
}

async function* readText(
  db: Database,
  input: { exportId: number; parts: readonly Part[]; range: ByteRange },
): AsyncGenerator<Buffer> {
  const { exportId, parts, range } = input
  let at = 0
  for (const { number, bytes } of parts) {
    const [start, end] = [Math.max(range.start - at, 0), Math.min(range.end - at, bytes - 1)]
    at += bytes
    if (start > end) continue
    const content = await findPart(db, { exportId, number })
    yield Buffer.from(content ?? '').subarray(start, end + 1)
  }
}
