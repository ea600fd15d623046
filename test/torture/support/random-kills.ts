import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createRandom } from '#tools/seed/random.ts'
import type { TortureResult } from '../part.ts'
import type { Material } from './kill-scenes.ts'
import { createLedger } from './ledger.ts'
import { createLoadMemory, type LoadMember, startMixedLoad } from './mixed-load.ts'
import { createSiteClient, unlessLater } from './site-client.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'
import { tidyStoppedSite } from './stopped-site.ts'
import { openTriedSite, type Variables } from './tried-site.ts'
import { waitUntilFinished } from './unfinished.ts'
import { checkMediaWhole } from './whole-media.ts'

const MEMBERS = 4
const LIFE_MS = { least: 100, most: 4000 }
const BACKUP_EVERY = 4
const START_SECONDS_MAX = 3
/** Demo videos of others that may be seen. */
const OTHERS = 40

type RandomKills = {
  failures: string[]
  /** Seconds from each start after a kill to the first answer. */
  starts: number[]
  /** Number of calls by members meanwhile. */
  acts: number
  /** Acknowledged writes on the books. */
  acknowledged: number
  /** Visits of janitor and doctor. */
  doctors: number
}

/**
 * Kills the server of a seeded site at random moments, while members are busy and backups are made, where the database is a
 * file. After each kill the books of what was acknowledged are compared with the database.
 * @param input.doctorEvery after so many kills, and after the last, all work ends, and janitor and doctor come
 */
export async function killAtRandom(input: {
  dataFolder: string
  env?: Variables
  material: Material
  seed: number
  kills: number
  doctorEvery: number
  /** Done when the server was killed and the doctor is to come. */
  beforeDoctor?: () => Promise<void>
  log?: (line: string) => void
}): Promise<RandomKills> {
  const { dataFolder, env = {}, material, seed, kills, doctorEvery, log } = input
  const ledger = createLedger()
  const memory = createLoadMemory(seed)
  const random = createRandom(seed, 'random-kill')
  const [failures, starts] = [[] as string[], [] as number[]]
  let doctors = 0
  let server = await start(dataFolder, env)
  let site = await settle(server.origin, { dataFolder, env })
  for (let kill = 1; kill <= kills; kill++) {
    const check = (found: string[]) =>
      failures.push(...found.map((text) => `after kill ${kill}: ${text}`))
    const stopLoad = startMixedLoad({ ...site, material, ledger, memory })
    if (kill % BACKUP_EVERY === 2 && !env.DATABASE_URL) await beginBackup(server.origin, site.admin)
    await pause(random.integer(LIFE_MS.least, LIFE_MS.most))
    await server.kill()
    await stopLoad()
    server = await start(dataFolder, env)
    starts.push(server.startSeconds)
    check(await ledger.check(dataFolder, env))
    if (kill === kills || kill % doctorEvery === 0) {
      check(await waitUntilFinished(dataFolder, env))
      await server.kill()
      await input.beforeDoctor?.()
      check(await tidyStoppedSite(dataFolder, env))
      check(await ledger.check(dataFolder, env))
      doctors += 1
      log?.(
        `${kill} kills, ${memory.acts} acts, ${ledger.size()} on the books, ${failures.length} failures`,
      )
      if (kill < kills) server = await start(dataFolder, env)
    }
    site = moveTo(server.origin, env, site)
  }
  failures.push(...memory.unplanned, ...(await checkMediaWhole(dataFolder, env)).wrong)
  return { failures, starts, acts: memory.acts, acknowledged: ledger.size(), doctors }
}

/** The table of a part. */
export function reportRandomKills(kills: RandomKills): TortureResult {
  const slowest = Math.max(...kills.starts)
  const isSlow = slowest > START_SECONDS_MAX
  const slow = isSlow ? [`The slowest start took ${slowest.toFixed(2)} s.`] : []
  return {
    figures: [
      { what: 'kills at random moments', value: kills.starts.length },
      { what: 'acts of members meanwhile', value: kills.acts },
      { what: 'acknowledged writes checked after each', value: kills.acknowledged },
      { what: 'visits of janitor and doctor', value: kills.doctors },
      { what: 'slowest first answer after a kill, s', value: slowest, limit: 'at most 3' },
    ],
    failures: [...kills.failures, ...slow],
  }
}

/** Who has media in a store may be told to come again: what it was being sent at a kill, it cannot list for a while. */
const createMember = (origin: string, env: Variables) =>
  createSiteClient(origin, env.MEDIA_STORE ? unlessLater : undefined)

/** @throws when there is no answer: nothing can be tried then */
async function start(dataFolder: string, env: Variables): Promise<SiteProcess> {
  const server = await startSiteProcess({ dataFolder, env: { ...env, PROCESSING_JOBS: '2' } })
  if (!server.answered) throw new Error(`It did not start: ${server.output.join('')}`)
  return server
}

type Settled = { members: LoadMember[]; others: number[]; admin: string }

/** The first visitors of a site that was filled without them; one of the demo accounts is the admin. */
async function settle(
  origin: string,
  { dataFolder, env }: { dataFolder: string; env: Variables },
): Promise<Settled> {
  const members: LoadMember[] = []
  for (let index = 1; index <= MEMBERS; index++) {
    const client = createMember(origin, env)
    const id = await client.register(`busy-${index}`)
    if (id === undefined) throw new Error('Nobody could register.')
    members.push({ client, id })
  }
  const list = await members[0]?.client.get(`/api/videos?limit=${OTHERS}`)
  const others = (list?.json<{ id: number }[]>() ?? []).map(({ id }) => id)
  const db = openTriedSite(dataFolder, env)
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

/** The same people at the server that took the place of a killed one. */
function moveTo(origin: string, env: Variables, { members, ...rest }: Settled): Settled {
  const moved = members.map(({ client, id }) => {
    const again = createMember(origin, env)
    again.setCookie(client.cookie())
    return { client: again, id }
  })
  return { members: moved, ...rest }
}
