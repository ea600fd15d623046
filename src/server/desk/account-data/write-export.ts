import { crc32 } from 'node:zlib'
import {
  type Database,
  type DatabaseTransaction,
  writeQuietly,
} from '#server/platform/db/database.ts'
import type { ExportText } from './data-archive.ts'
import {
  type ClaimedExport,
  type ExportFile,
  insertFiles,
  insertPart,
  updateClaimedExport,
} from './data-export.queries.ts'
import type { DataRow } from './table-section.queries.ts'

/** Progress when all videos are described. The rest of the export takes the rest. */
export const VIDEOS_PERCENT = 80
const PART_CHARACTERS = 128 * 1024
/** Maximum time between two writes, which also save the progress. */
const PIECE_MS = 1000

/** Another process has begun the export again, or the export was deleted. */
export class ExportLostError extends Error {
  override name = 'ExportLostError'
}

export type ExportWriter = ReturnType<typeof createExportWriter>

/** Writes JSON files in parts, so that none is ever in memory as a whole, and records the media files. */
export function createExportWriter(db: Database, claimed: ClaimedExport) {
  const exportId = claimed.id
  let path = ''
  let checksum = 0
  let text = ''
  let parts = 0
  const texts: ExportText[] = []
  let fileCount = 0
  let waiting: ExportFile[] = []
  const all: ExportFile[] = []
  let percent = 0
  let isFirst = true
  let flushedAt = performance.now()

  async function flush(): Promise<void> {
    const [content, files] = [text, waiting]
    const bytes = Buffer.byteLength(content)
    checksum = crc32(content, checksum)
    const part = { exportId, number: parts, path, bytes, content, crc32: checksum }
    await writeQuietly(db, async (transaction) => {
      await requireClaimed(transaction)
      if (content !== '') await insertPart(transaction, part)
      await insertFiles(transaction, { exportId, firstNumber: fileCount, files })
    })
    if (content !== '') parts += 1
    const written = texts.at(-1)
    if (written) texts.splice(-1, 1, { ...written, bytes: written.bytes + bytes, crc32: checksum })
    fileCount += files.length
    text = ''
    waiting = []
    flushedAt = performance.now()
  }

  async function requireClaimed(transaction: DatabaseTransaction): Promise<void> {
    const change = { percent }
    if (!(await updateClaimedExport(transaction, { ...claimed, change }))) {
      throw new ExportLostError()
    }
  }

  async function add(more: string): Promise<void> {
    text += more
    const isLate = performance.now() - flushedAt > PIECE_MS
    if (isLate || text.length >= PART_CHARACTERS) await flush()
  }

  const separator = () => {
    const before = isFirst ? '{\n' : ',\n'
    isFirst = false
    return before
  }

  return {
    /** Until `endFile`, what is added becomes fields of the JSON object in this file. */
    beginFile(name: string): void {
      ;[path, checksum, isFirst] = [name, 0, true]
      texts.push({ path, bytes: 0, crc32: 0 })
    },

    async endFile(): Promise<void> {
      await add(isFirst ? '{}\n' : '\n}\n')
      await flush()
    },

    add: (name: string, value: unknown) =>
      add(`${separator()}${JSON.stringify(name)}: ${JSON.stringify(value)}`),

    /** Writes each row on a line of its own. */
    async addList(name: string, rows: AsyncIterable<DataRow>): Promise<void> {
      await add(`${separator()}${JSON.stringify(name)}: [`)
      let count = 0
      for await (const row of rows) {
        await add(`${count === 0 ? '\n' : ',\n'}${JSON.stringify(withFlags(row))}`)
        count += 1
      }
      await add(count === 0 ? ']' : '\n]')
    },

    addFiles(files: readonly ExportFile[]): void {
      waiting.push(...files)
      all.push(...files)
    },

    /** Saved with the next write. */
    setPercent(now: number): void {
      percent = Math.round(now)
    },

    written: () => ({ texts, files: all }),
  }
}

const FLAG =
  /^(?:(?:is|has|allows|shows)[A-Z]|historyPaused$|discordEmbed$|commentsOff$|titleCard$|passkeyAfterPassword$)/

/** Converts flags to booleans, because the database stores 0 and 1. */
export function withFlags(row: DataRow): DataRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      FLAG.test(name) && typeof value === 'number' ? value === 1 : value,
    ]),
  )
}
