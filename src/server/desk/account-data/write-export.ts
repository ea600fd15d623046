import {
  type Database,
  type DatabaseTransaction,
  writeQuietly,
} from '#server/platform/db/database.ts'
import {
  type ClaimedExport,
  type ExportFile,
  insertFiles,
  insertPart,
  updateClaimedExport,
} from './data-export.queries.ts'
import type { DataRow } from './table-section.queries.ts'

const PART_CHARACTERS = 128 * 1024
/** Maximum time between two writes, which also save the progress. */
const PIECE_MS = 1000

/** Another process has begun the export again, or the export was deleted. */
export class ExportLostError extends Error {
  override name = 'ExportLostError'
}

export type ExportWriter = ReturnType<typeof createExportWriter>

/** Writes `account.json` in parts, so that it is never in memory as a whole, and records the media files. */
export function createExportWriter(db: Database, claimed: ClaimedExport) {
  const exportId = claimed.id
  let text = ''
  let parts = 0
  let bytes = 0
  let fileCount = 0
  let waiting: ExportFile[] = []
  const all: ExportFile[] = []
  let percent = 0
  let isFirst = true
  let flushedAt = performance.now()

  async function flush(): Promise<void> {
    const [content, files] = [text, waiting]
    const part = { exportId, number: parts, bytes: Buffer.byteLength(content), content }
    await writeQuietly(db, async (transaction) => {
      await requireClaimed(transaction)
      if (content !== '') await insertPart(transaction, part)
      await insertFiles(transaction, { exportId, firstNumber: fileCount, files })
    })
    if (content !== '') parts += 1
    bytes += part.bytes
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

    async end(): Promise<{ jsonBytes: number; files: readonly ExportFile[] }> {
      await add('\n}\n')
      await flush()
      return { jsonBytes: bytes, files: all }
    },
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
