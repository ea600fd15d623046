import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findRawSql,
  listDialect,
  listReplaced,
  listUnnamed,
  listUnquoted,
  type RawSql,
} from '../support/raw-sql.ts'

const SERVER = join(import.meta.dirname, '..', '..', 'src', 'server')
/** Where only SQLite is asked. */
const OF_SQLITE = /(?:^|\/)(?:fts5|sqlite)\//
/** What one engine alone can say is said there. */
const OF_THE_ENGINE = /(?:^|\/)(?:db|cluster|search)\//

const files = await Promise.all(
  globSync('**/*.ts', { cwd: SERVER })
    .filter((path) => !path.includes('migrations'))
    .map(async (path) => {
      const source = await readFile(join(SERVER, path), 'utf8')
      return { path: path.replaceAll('\\', '/'), source, all: findRawSql(source) }
    }),
)

function listFindings(list: (raw: RawSql) => string[], from = files): string[] {
  return from.flatMap(({ path, all }) =>
    all.flatMap((raw) => list(raw).map((word) => `${path}: ${word}`)),
  )
}

test('every name in raw SQL is quoted', () => {
  expect(files.flatMap(({ all }) => all).length).toBeGreaterThan(100)
  expect(listFindings(listUnquoted)).toEqual([])
})

test('raw SQL has the functions that every engine has', () => {
  expect(listFindings(listReplaced)).toEqual([])
})

test('a subquery that is read from has a name', () => {
  const ofBoth = files.filter(({ path }) => !OF_SQLITE.test(path))
  expect(listFindings(listUnnamed, ofBoth)).toEqual([])
})

test('no join looks for rows with IN, which PostgreSQL before 17 asks for each pair of them', () => {
  const ofBoth = files.filter(({ path }) => !OF_SQLITE.test(path))
  const listJoined = ({ text }: { text: string }) => text.match(/\bON "\w+"\."\w+" IN \(/g) ?? []
  expect(listFindings(listJoined, ofBoth)).toEqual([])
})

test('what one engine alone can say stays in db, cluster and search', () => {
  const elsewhere = files.filter(({ path }) => !OF_THE_ENGINE.test(path))
  expect(listFindings(listDialect, elsewhere)).toEqual([])
})

test('no text becomes SQL unseen but in db, cluster and search', () => {
  const unseen = files.filter(
    ({ path, source }) => !OF_THE_ENGINE.test(path) && /sql\.raw\(/.test(source),
  )
  expect(unseen.map(({ path }) => path)).toEqual([])
})

test('a name, a function and a word of one engine are found, in templates within others too', () => {
  const source = `
    sql<{ id: () => void }>\`SELECT "a" FROM users WHERE \${x({ b: '}' })} = ifnull("c", 'd e') -- a note
      AND \${sql\`videos.id\`}\`
    sql\`SELECT "value" FROM json_each(\${list}) ORDER BY "x" COLLATE NOCASE\``
  const all = findRawSql(source)
  expect(all.flatMap(listUnquoted)).toEqual(['users', 'videos', 'id'])
  expect(all.flatMap(listReplaced)).toEqual(['ifnull('])
  expect(all.flatMap(listDialect)).toEqual(['json_each(', 'COLLATE'])
  const [raw] = findRawSql('sql`SELECT 1 FROM (SELECT 2 FROM (SELECT abs(3)) AS "a") WHERE TRUE`')
  expect(raw && listUnnamed(raw)).toEqual(['WHERE TRUE'])
})
