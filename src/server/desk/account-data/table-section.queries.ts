import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'

export type DataRow = Record<string, unknown>
/** @param person the member without admin rights, because these concern the data of others */
type ReadRows = (db: Database, person: Viewer) => AsyncGenerator<DataRow[]>
export type DataSection = { name: string; tables: readonly string[]; read: ReadRows }

export const PAGE_ROWS = 200

type Spec<Table extends keyof Schema> = {
  /** The column with the member's id. */
  owner: keyof Schema[Table] & string
  /** Columns that identify a row. */
  keys: readonly (keyof Schema[Table] & string)[]
  /** Columns that the archive contains. They must not be secrets or texts by others. */
  columns: readonly (keyof Schema[Table] & string)[]
}

/** Reads the rows of one table that belong to the person. */
export function section<Table extends keyof Schema & string>(
  name: string,
  table: Table,
  { owner, keys, columns }: Spec<Table>,
): DataSection {
  return { name, tables: [table], read: readTable }

  async function* readTable(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
    const tuple = (parts: readonly RawBuilder<unknown>[]) => sql`(${sql.join(parts)})`
    const selected = [...new Set([...keys, ...columns])]
    for (let after: unknown[] | undefined; ; ) {
      const isAfter = after
        ? sql`AND ${tuple(keys.map((key) => sql.ref(key)))} > ${tuple(after.map((value) => sql`${value}`))}`
        : sql``
      const { rows } = await sql<DataRow>`
        SELECT ${sql.join(selected.map((column) => sql.ref(column)))} FROM ${sql.table(table)}
        WHERE ${sql.ref(owner)} = ${person.id} ${isAfter}
        ORDER BY ${sql.join(keys.map((key) => sql.ref(key)))} LIMIT ${PAGE_ROWS}`.execute(db)
      const last = rows.at(-1)
      if (!last) return
      after = keys.map((key) => last[key])
      const shown = rows.map((row) => pick(row, columns))
      yield await withNames(db, { rows: shown, person })
    }
  }
}

const pick = (row: DataRow, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))

/** Adds titles of videos that the person may see, and names of channels. */
export async function withNames(
  db: Database,
  { rows, person }: { rows: DataRow[]; person: Viewer },
): Promise<DataRow[]> {
  const numbersOf = (column: string) => [
    ...new Set(rows.map((row) => row[column]).filter((value) => typeof value === 'number')),
  ]
  const videos = await listTitles(db, { ids: numbersOf('videoId'), person })
  const channels = await listNames(db, numbersOf('channelId'))
  return rows.map((row) => {
    const title = videos.get(row.videoId)
    const channel = channels.get(row.channelId)
    return {
      ...row,
      ...(title !== undefined && { videoTitle: title }),
      ...(channel !== undefined && { channel }),
    }
  })
}

async function listTitles(
  db: Database,
  { ids, person }: { ids: number[]; person: Viewer },
): Promise<Map<unknown, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('videos')
    .select(['videos.id', 'videos.title'])
    .where('videos.id', 'in', listOf(ids))
    .where(isVisibleVideo(person))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

async function listNames(db: Database, ids: number[]): Promise<Map<unknown, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', listOf(ids))
    .where('bannedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
