import type { Database } from '#server/platform/db/database.ts'
import type { ByteRange } from '#server/platform/files/byte-range.ts'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import type { DataExportFormat } from '#shared/schemas/settings.schemas.ts'
import { type Piece, piecesBytes, readPieces } from '../backup/archive-pieces.ts'
import { tarPieces } from '../backup/tar.ts'
import { ARCHIVE_FOLDERS } from './archive-paths.ts'
import {
  type DataExport,
  type ExportFile,
  findPart,
  listFiles,
  listParts,
} from './data-export.queries.ts'
import { type ZipEntry, zipPieces } from './zip.ts'

type Part = Awaited<ReturnType<typeof listParts>>[number]
/** A text file of the archive, whose checksum is the one of its last part. */
export type ExportText = { path: string; bytes: number; crc32: number }
/** The entry is a media file, or else a text. */
type ArchiveEntry = ZipEntry & { file: ExportFile | null; path: string }
export type DataArchive = {
  exportId: number
  format: DataExportFormat
  entries: ArchiveEntry[]
  parts: Part[]
}

/** The texts come first, so that they can be read without downloading the rest. */
export function listEntries(input: {
  format: DataExportFormat
  texts: readonly ExportText[]
  files: readonly ExportFile[]
  madeAt: Date
}): ArchiveEntry[] {
  const { format, texts, files, madeAt: modifiedAt } = input
  const folder = ARCHIVE_FOLDERS[format]
  return [
    ...texts.map((text) => ({ ...text, name: folder + text.path, modifiedAt, file: null })),
    ...files.map((file) => {
      const { path, bytes, crc32 } = file
      return { name: folder + path, path, bytes, crc32, modifiedAt, file }
    }),
  ]
}

const piecesOf = (format: DataExportFormat, entries: readonly ArchiveEntry[]) =>
  format === 'peertube' ? zipPieces(entries) : tarPieces(entries)

export const archiveBytes = (input: Parameters<typeof listEntries>[0]) =>
  piecesBytes(piecesOf(input.format, listEntries(input)))

/** Returns the same entries at each call, so that ranges from different requests fit together. */
export async function readDataArchive(
  db: Database,
  { id: exportId, format, finishedAt }: Pick<DataExport, 'id' | 'format' | 'finishedAt'>,
): Promise<DataArchive> {
  const parts = await listParts(db, exportId)
  const files = await listFiles(db, exportId)
  const madeAt = new Date(finishedAt ?? 0)
  const entries = listEntries({ format, texts: textsOf(parts), files, madeAt })
  return { exportId, format, parts, entries }
}

function textsOf(parts: readonly Part[]): ExportText[] {
  const texts = new Map<string, ExportText>()
  for (const { path, bytes, crc32 } of parts) {
    const before = texts.get(path)?.bytes ?? 0
    texts.set(path, { path, bytes: before + bytes, crc32 })
  }
  return [...texts.values()]
}

export function streamDataArchive(
  { db, media }: { db: Database; media: MediaStore },
  { archive, range }: { archive: DataArchive; range: ByteRange },
): AsyncGenerator<Buffer> {
  const { exportId, format, entries, parts } = archive
  const pieces: Iterable<Piece<ArchiveEntry>> = piecesOf(format, entries)
  return readPieces(pieces, {
    range,
    async open({ file, path }, within) {
      if (file === null) {
        const own = parts.filter((part) => part.path === path)
        return readText(db, { exportId, parts: own, range: within })
      }
      const body = await media.openRange(storeKey(file.mediaKey, file.name), within)
      if (!body) throw new RangeError(`${path} is gone.`)
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
