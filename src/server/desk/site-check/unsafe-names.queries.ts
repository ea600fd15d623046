import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

const COLUMNS = [
  {
    table: 'videos',
    id: 'id',
    names: ['mediaKey', 'addressKey'],
    addresses: ['videoUrl', 'thumbnailUrl', 'hlsUrl', 'storyboardUrl', 'shareUrl', 'cardUrl'],
  },
  { table: 'mediaFiles', id: 'videoId', names: ['name'], addresses: [] },
  { table: 'captions', id: 'id', names: ['file'], addresses: [] },
  { table: 'soundTracks', id: 'videoId', names: ['file'], addresses: [] },
  { table: 'clips', id: 'id', names: ['shareFile', 'pictureFile'], addresses: [] },
  { table: 'uploads', id: 'id', names: ['id', 'mediaKey'], addresses: ['thumbnailUrl'] },
  { table: 'backups', id: 'id', names: ['name'], addresses: [] },
  { table: 'users', id: 'id', names: [], addresses: ['avatarUrl', 'bannerUrl'] },
  { table: 'siteSettings', id: 'id', names: [], addresses: ['logoUrl'] },
  { table: 'gameLooks', id: 'category', names: [], addresses: ['artUrl'] },
] as const

/** As `isSafeName` allows; frequent ones first, as engines compare in order. */
const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz-._ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const NAME_MAX = 128
const PREFIX = '/media/'

/** @returns phrases such as 'the mediaKey in row 7 of videos', limited per column */
export async function listUnsafeNames(db: Database): Promise<string[]> {
  const found: string[] = []
  for (const { table, id, names, addresses } of COLUMNS) {
    const checks = [
      ...names.map((column) => ({ column, isUnsafe: isUnsafeName(sql.ref(column)) })),
      ...addresses.map((column) => ({ column, isUnsafe: isUnsafeAddress(sql.ref(column)) })),
    ]
    for (const { column, isUnsafe } of checks) {
      const { rows } = await sql<{ id: string | number }>`
        SELECT ${sql.ref(id)} AS "id" FROM ${sql.table(table)} WHERE ${isUnsafe} LIMIT 1`.execute(
        db,
      )
      const [row] = rows
      if (row) found.push(`the ${column} in row ${describeId(row.id)} of ${table}`)
    }
  }
  return found
}

/** False for null. */
function isUnsafeName(name: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(${name} = '' OR ltrim(${name}, ${sql.lit(CHARACTERS)}) <> '' OR ${name} LIKE '.%'
    OR length(${name}) > ${sql.lit(NAME_MAX)})`
}

/** Ignores addresses of other sites. */
function isUnsafeAddress(address: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const path = sql`substr(${address}, ${sql.lit(PREFIX.length + 1)})`
  return sql`(${address} LIKE ${sql.lit(`${PREFIX}%`)} AND (
    ltrim(${path}, ${sql.lit(`${CHARACTERS}/`)}) <> '' OR NOT ${path} LIKE '%_/_%' OR ${path} LIKE '%/%/%'
    OR ${path} LIKE '.%' OR ${path} LIKE '%/.%' OR length(${path}) > ${sql.lit(2 * NAME_MAX + 1)}))`
}

/** An id may be any text. */
function describeId(id: string | number): string {
  return typeof id === 'number' || /^[\w-]{1,64}$/.test(id) ? String(id) : '?'
}
