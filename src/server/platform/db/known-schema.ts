import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Database, engineOf } from './engine.ts'
import { readMigrationsOf } from './needed-migration.ts'
import { openSqliteInMemory } from './sqlite/engine.ts'

/** A row of `sqlite_schema`. */
type Part = { type: string; name: string; table: string; sql: string | null }

/** Created by `ANALYZE`. */
const STATISTICS = new Map([
  ['sqlite_stat1', 'CREATE TABLE sqlite_stat1(tbl,idx,stat)'],
  ['sqlite_stat4', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'],
])
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$\u0080-\uffff]+|\s+|./gs
const NO_TOKEN = /^(?:\s|--|\/\*)/
const SHOWN_CHARACTERS = 60

/**
 * Compares a file's schema with a new one after the same migrations. Reads lists of names only:
 * nothing of the file runs.
 * @returns phrases such as 'the trigger "spy" is not one of Clutch'; none on PostgreSQL
 */
export async function listForeignParts(db: Database): Promise<string[]> {
  const engine = engineOf(db)
  if (engine.name !== 'sqlite') return []
  const done = await engine.listDoneMigrations(db)
  const last = done.at(-1)
  if (last === undefined) return ['there is no list of migrations of Clutch']
  const provider = readMigrationsOf(engine.migrationsFolder)
  const known = Object.keys(await provider.getMigrations()).sort()
  if (done.some((name, index) => name !== known[index])) return ['the list of migrations has gaps']
  const fresh = openSqliteInMemory()
  try {
    const { error } = await new Migrator({
      db: fresh as unknown as Kysely<unknown>,
      provider,
    }).migrateTo(last)
    if (error) throw error
    return compareParts(await listParts(db), await listParts(fresh))
  } finally {
    await fresh.destroy()
  }
}

async function listParts(db: Database): Promise<Part[]> {
  const { rows } = await sql<Part>`
    SELECT "type", "name", "tbl_name" AS "table", "sql" FROM "sqlite_schema"
    ORDER BY "type", "name"`.execute(db)
  return rows
}

function compareParts(found: Part[], expected: Part[]): string[] {
  const rest = new Map(expected.map((part) => [keyOf(part), part]))
  const differences = found.flatMap((part) => {
    const own = rest.get(keyOf(part))
    rest.delete(keyOf(part))
    if (own)
      return textOf(own) === textOf(part) ? [] : [`${describe(part)} is not as Clutch makes it`]
    const isStatistic = part.type === 'table' && STATISTICS.get(part.name) === part.sql
    return isStatistic ? [] : [`${describe(part)} is not one of Clutch`]
  })
  return [...differences, ...[...rest.values()].map((part) => `${describe(part)} is missing`)]
}

const keyOf = ({ type, name }: Part) => `${type} ${name}`

/** White space and comments differ between versions of SQLite. */
function textOf({ table, sql: statement }: Part): string {
  const tokens = String(statement).match(TOKEN) ?? []
  return [table, ...tokens.filter((token) => !NO_TOKEN.test(token))].join(' ')
}

function describe({ type, name }: Part): string {
  const shown = `${name}`.slice(0, SHOWN_CHARACTERS).replaceAll(/[^\x20-\x7e]/g, '?')
  const kind = ['table', 'index', 'trigger', 'view'].includes(type) ? type : 'object'
  return `the ${kind} "${shown}"`
}
