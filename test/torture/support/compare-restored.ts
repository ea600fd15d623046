import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { runCommand } from '#test/support/run-command.ts'
import { doctorSite } from './stopped-site.ts'

/** What a restore ends or puts back into the queue on purpose, and what belongs to the search index. */
const CHANGED = /^(sessions|apiTokens|uploads|jobs|kysely_.*|sqlite_.*)$/

/** Restores a backup into a new folder and compares all rows and all files with it, by hash. */
export async function compareRestored({
  folder,
  restored,
}: {
  folder: string
  restored: string
}): Promise<{ problems: string[]; rows: number; files: number }> {
  const { code, err } = await runCommand('restore', { dataFolder: restored, args: [folder] })
  if (code !== 0) return { problems: [`It was not restored: ${err}`], rows: 0, files: 0 }
  const before = await readRows(folder)
  const after = await readRows(restored)
  const problems = [...before.tables].flatMap(([table, hash]) =>
    after.tables.get(table) === hash ? [] : [`The rows of ${table} are not those of the backup.`],
  )
  const [expected, found] = await Promise.all(
    [folder, restored].map((one) => hashFiles(join(one, 'media'))),
  )
  for (const [path, hash] of expected ?? []) {
    if (found?.get(path) !== hash) problems.push(`media/${path} is not that of the backup.`)
  }
  if (found?.size !== expected?.size)
    problems.push(`There are ${found?.size} files, not ${expected?.size}.`)
  const doctor = await doctorSite(restored)
  problems.push(...doctor.problems.map(({ kind, text }) => `The doctor says: ${kind}: ${text}`))
  return { problems, rows: before.rows, files: expected?.size ?? 0 }
}

async function readRows(folder: string): Promise<{ tables: Map<string, string>; rows: number }> {
  const db = openDatabaseToRead(folder)
  try {
    const tables = new Map<string, string>()
    let rows = 0
    for (const table of await listTables(db)) {
      const all = await sql`SELECT * FROM ${sql.table(table)}`.execute(db)
      rows += all.rows.length
      const lines = all.rows.map((row) => JSON.stringify(row)).sort()
      tables.set(table, createHash('sha256').update(lines.join('\n')).digest('hex'))
    }
    return { tables, rows }
  } finally {
    await db.destroy()
  }
}

async function listTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !CHANGED.test(name))
}

async function hashFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hashes = new Map<string, string>()
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    hashes.set(relative(folder, path), createHash('sha256').update(bytes).digest('hex'))
  }
  return hashes
}
