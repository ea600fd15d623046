import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createMigrator, type Database, openDatabase } from '#server/db/database.ts'
import { type FirstSite, writeFirstSite } from '#test/support/first-site.ts'
import type { TorturePart } from '../part.ts'
import { startSiteProcess } from '../support/site-process.ts'
import { doctorSite } from '../support/stopped-site.ts'

const SIZES = { members: 200, videos: 2000 }
const NEWER = 'The database was written by a newer version of Clutch. Update Clutch first.\n'

export const part: TorturePart = {
  name: 'upgrade',
  description: 'old databases of every version become new ones, and newer ones are left alone',
  async run({ folder, log }) {
    const failures: string[] = []
    const fail = (where: string) => (text: string) => failures.push(`${where}: ${text}`)
    const first = join(folder, 'first')
    const counts = await writeFirstSite(first, SIZES)
    const seconds = await upgrade(first, {
      counts,
      copy: 'database-001.db',
      fail: fail('from 001'),
    })
    log(`the first version's database was upgraded in ${seconds.toFixed(2)} s`)
    const versions = await listVersions(first)
    for (const [index, name] of versions.entries()) {
      const dataFolder = join(folder, name)
      const small = await writeFirstSite(dataFolder)
      await migrateUp(dataFolder, index)
      const number = name.split('-')[0]
      const copy = index === versions.length - 1 ? undefined : `database-${number}.db`
      await upgrade(dataFolder, { counts: small, copy, fail: fail(`from ${number}`) })
    }
    await refuseNewer(first, fail('newer'))
    return {
      figures: [
        { what: 'versions upgraded from', value: versions.length },
        { what: 'videos kept from the first version', value: counts.videos },
        { what: 'start with all migrations, s', value: seconds },
      ],
      failures,
    }
  },
}

type Check = { counts: FirstSite; copy: string | undefined; fail: (text: string) => void }

/** Starts the server on an old database. @returns seconds to its first answer */
async function upgrade(dataFolder: string, { counts, copy, fail }: Check): Promise<number> {
  const server = await startSiteProcess({ dataFolder })
  if (!server.answered) fail(`The server did not start: ${server.output.join('')}`)
  await server.kill('SIGTERM')
  for (const { kind, text } of (await doctorSite(dataFolder)).problems) fail(`${kind}: ${text}`)
  const now = await countRows(dataFolder)
  if (JSON.stringify(now) !== JSON.stringify(counts)) {
    fail(`There were ${JSON.stringify(counts)} rows, and now there are ${JSON.stringify(now)}.`)
  }
  const copies = await readdir(join(dataFolder, 'backups', 'before-update')).catch(() => [])
  if (JSON.stringify(copies) !== JSON.stringify(copy ? [copy] : [])) {
    fail(`The copies from before the update are ${copies.join(', ') || 'none'}.`)
  }
  return server.startSeconds
}

/** A database of a version to come stays as it is, byte for byte. */
async function refuseNewer(dataFolder: string, fail: (text: string) => void): Promise<void> {
  await withDatabase(dataFolder, (db) =>
    sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('999-future', '2030')`.execute(db),
  )
  const before = await hashOf(dataFolder)
  const server = await startSiteProcess({ dataFolder })
  if (server.answered) fail('The server started.')
  await server.kill()
  if (server.exitCode() !== 1) fail(`It ended with ${server.exitCode()}.`)
  if (server.output.join('') !== NEWER) fail(`It said: ${server.output.join('')}`)
  if ((await hashOf(dataFolder)) !== before) fail('The database was changed.')
}

async function listVersions(dataFolder: string): Promise<string[]> {
  return withDatabase(dataFolder, async (db) => {
    const query = sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`
    return (await query.execute(db)).rows.map((row) => row.name)
  })
}

async function migrateUp(dataFolder: string, steps: number): Promise<void> {
  await withDatabase(dataFolder, async (db) => {
    const migrator = createMigrator(db)
    for (let step = 0; step < steps; step++) {
      const { error } = await migrator.migrateUp()
      if (error) throw error
    }
  })
}

async function countRows(dataFolder: string): Promise<FirstSite> {
  return withDatabase(dataFolder, async (db) => {
    const { rows } = await sql<FirstSite>`SELECT
      (SELECT count(*) FROM users) AS members, (SELECT count(*) FROM videos) AS videos,
      (SELECT count(*) FROM comments) AS comments, (SELECT count(*) FROM likes) AS ratings
    `.execute(db)
    return rows[0] as FirstSite
  })
}

async function withDatabase<Result>(
  dataFolder: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(dataFolder)
  return work(db).finally(() => db.destroy())
}

async function hashOf(dataFolder: string): Promise<string> {
  const bytes = await readFile(join(dataFolder, 'clutch.db'))
  return createHash('sha256').update(bytes).digest('hex')
}
