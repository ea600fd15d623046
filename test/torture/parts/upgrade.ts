import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { VERSIONS, writeLaterVersion } from '#test/support/later-version.ts'
import { runCommand } from '#test/support/run-command.ts'
import { type SmallSite, writeSmallSite } from '#test/support/small-site.ts'
import type { TorturePart } from '../part.ts'
import { startSiteProcess } from '../support/site-process.ts'

const SIZES = { members: 200, videos: 2000 }
const NEWER = 'The database was written by a newer version of Clutch. Update Clutch first.\n'

export const part: TorturePart = {
  name: 'upgrade',
  description: 'an older database becomes a new one, and a newer one is left alone',
  async run({ folder, log }) {
    const failures: string[] = []
    const fail = (where: string) => (text: string) => failures.push(`${where}: ${text}`)
    const dataFolder = join(folder, 'site')
    const counts = await writeSmallSite(dataFolder, SIZES)
    const root = await writeLaterVersion(folder)
    const seconds = await upgrade(dataFolder, { root, counts, fail: fail('older') })
    log(`the database was upgraded in ${seconds.toFixed(2)} s`)
    await refuseNewer(dataFolder, fail('newer'))
    return {
      figures: [
        { what: 'videos of the older version', value: counts.videos },
        { what: 'start with a migration, s', value: seconds },
      ],
      failures,
    }
  },
}

type Check = { root: string; counts: SmallSite; fail: (text: string) => void }

/** Starts the server of a later version. @returns seconds to its first answer */
async function upgrade(dataFolder: string, { root, counts, fail }: Check): Promise<number> {
  const server = await startSiteProcess({ dataFolder, root })
  if (!server.answered) fail(`The server did not start: ${server.output.join('')}`)
  await server.kill('SIGTERM')
  const { code, out } = await runCommand('doctor', { dataFolder, root })
  if (code !== 0) fail(out)
  const now = await countRows(dataFolder)
  if (JSON.stringify(now) !== JSON.stringify(counts)) {
    fail(`There were ${JSON.stringify(counts)} rows, and now there are ${JSON.stringify(now)}.`)
  }
  const copies = await readdir(join(dataFolder, 'backups', 'before-update')).catch(() => [])
  if (copies.join() !== `database-${VERSIONS.now}.db`) {
    fail(`The copies from before the update are ${copies.join(', ') || 'none'}.`)
  }
  return server.startSeconds
}

/** A database of a version to come stays as it is, byte for byte. */
async function refuseNewer(dataFolder: string, fail: (text: string) => void): Promise<void> {
  const before = await hashOf(dataFolder)
  const server = await startSiteProcess({ dataFolder })
  if (server.answered) fail('The server started.')
  await server.kill()
  if (server.exitCode() !== 1) fail(`It ended with ${server.exitCode()}.`)
  if (server.output.join('') !== NEWER) fail(`It said: ${server.output.join('')}`)
  if ((await hashOf(dataFolder)) !== before) fail('The database was changed.')
}

async function countRows(dataFolder: string): Promise<SmallSite> {
  return withDatabase(dataFolder, async (db) => {
    const { rows } = await sql<SmallSite>`SELECT
      (SELECT count(*) FROM users) AS members, (SELECT count(*) FROM videos) AS videos,
      (SELECT count(*) FROM comments) AS comments, (SELECT count(*) FROM likes) AS likes
    `.execute(db)
    return rows[0] as SmallSite
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
