import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createRandom } from '#server/command/seed/random.ts'
import { openDatabaseToRead } from '#server/db/database.ts'
import type { TorturePart } from '../part.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { createLedger } from '../support/ledger.ts'
import { createLoadMemory, type LoadMember, startMixedLoad } from '../support/mixed-load.ts'
import { FULL_SITE, seedFolder } from '../support/seeded-folder.ts'
import { createSiteClient } from '../support/site-client.ts'
import { startSiteProcess } from '../support/site-process.ts'
import { tidyStoppedSite } from '../support/stopped-site.ts'
import { waitUntilFinished } from '../support/unfinished.ts'

const KILLS = 100
const MEMBERS = 4
const LIFE_MS = { least: 100, most: 4000 }
/** After each kill the database and the books are looked at; after so many the janitor and the doctor come. */
const DOCTOR_EVERY = 5
const BACKUP_EVERY = 4
const START_SECONDS_MAX = 3
/** Demo videos of others that may be seen. */
const OTHERS = 40

export const part: TorturePart = {
  name: 'random-kill',
  description:
    'SIGKILL at any moment while members upload, comment, rate and delete, and backups run',
  async run({ folder, rounds = KILLS, seed, log }) {
    const dataFolder = join(folder, 'data')
    log('seeding …')
    await seedFolder(dataFolder, FULL_SITE)
    const material = await makeMaterial(join(folder, 'material'))
    const ledger = createLedger()
    const memory = createLoadMemory()
    const random = createRandom(seed, 'random-kill')
    const failures: string[] = []
    const starts: number[] = []
    let members: LoadMember[] = []
    let others: number[] = []
    let admin = ''
    let doctors = 0
    const check = (where: string, found: string[]) =>
      failures.push(...found.map((text) => `${where}: ${text}`))
    for (let kill = 0; kill <= rounds; kill++) {
      const where = `after kill ${kill}`
      const server = await startSiteProcess({ dataFolder, env: { PROCESSING_JOBS: '2' } })
      if (!server.answered) {
        check(where, [`It did not start: ${server.output.join('')}`])
        break
      }
      if (kill > 0) starts.push(server.startSeconds)
      check(where, await ledger.check(dataFolder))
      if (kill === 0) ({ members, others, admin } = await settle(server.origin, dataFolder))
      else members = members.map((member) => moveTo(server.origin, member))
      if (kill === rounds || (kill > 0 && kill % DOCTOR_EVERY === 0)) {
        check(where, await waitUntilFinished(dataFolder))
        await server.kill()
        check(where, await tidyStoppedSite(dataFolder))
        check(where, await ledger.check(dataFolder))
        doctors += 1
        log(
          `${kill} kills, ${memory.acts} acts, ${ledger.size()} on the books, ${failures.length} failures`,
        )
        if (kill === rounds) break
        continue
      }
      const stopLoad = startMixedLoad({ members, others, material, ledger, memory, random })
      if (kill % BACKUP_EVERY === 1) await beginBackup(server.origin, admin)
      await pause(random.whole(LIFE_MS.least, LIFE_MS.most))
      await server.kill()
      await stopLoad()
    }
    const slowest = Math.max(...starts)
    if (slowest > START_SECONDS_MAX) check('start', [`The slowest took ${slowest.toFixed(2)} s.`])
    check('load', memory.unplanned)
    return {
      figures: [
        { what: 'kills at random moments', value: rounds },
        { what: 'acts of members meanwhile', value: memory.acts },
        { what: 'acknowledged writes checked after each', value: ledger.size() },
        { what: 'visits of janitor and doctor', value: doctors },
        { what: 'slowest first answer after a kill, s', value: slowest, limit: 'at most 3' },
      ],
      failures,
    }
  },
}

/** The first visitors of a site that was filled without them; one of the demo accounts is the admin. */
async function settle(origin: string, dataFolder: string) {
  const members: LoadMember[] = []
  for (let index = 1; index <= MEMBERS; index++) {
    const client = createSiteClient(origin)
    const id = await client.register(`busy-${index}`)
    if (id === undefined) throw new Error('Nobody could register.')
    members.push({ client, id })
  }
  const list = await members[0]?.client.get(`/api/videos?limit=${OTHERS}`)
  const others = (list?.json<{ id: number }[]>() ?? []).map(({ id }) => id)
  const db = openDatabaseToRead(dataFolder)
  const { rows } = await sql<{ username: string }>`SELECT username FROM users WHERE id = 1`.execute(
    db,
  )
  await db.destroy()
  return { members, others, admin: rows[0]?.username ?? '' }
}

/** From the admin's desk, as a process of its own that dies with the server. */
async function beginBackup(origin: string, admin: string): Promise<void> {
  const client = createSiteClient(origin)
  await client.logIn(admin, 'clutch-demo')
  await client.call('backup.start')
}

function moveTo(origin: string, { client, id }: LoadMember): LoadMember {
  const moved = createSiteClient(origin)
  moved.setCookie(client.cookie())
  return { client: moved, id }
}
