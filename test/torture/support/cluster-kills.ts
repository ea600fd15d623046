import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/db/database.ts'
import type { PostgresServer } from '#test/support/postgres-server.ts'
import { createRandom } from '#tools/seed/random.ts'
import { checkSiteWhole } from '../check-site.ts'
import { startBans } from './ban-load.ts'
import { openClusterScene } from './cluster-scene.ts'
import type { Material } from './kill-scenes.ts'
import { watchKills } from './kill-watch.ts'
import { createLedger } from './ledger.ts'
import { createLoadMemory, type LoadMember, startMixedLoad } from './mixed-load.ts'
import { createSiteClient, unlessLater } from './site-client.ts'
import { tidyStoppedSite } from './stopped-site.ts'
import { checkContents } from './store-contents.ts'
import { createCrowd, manyWait } from './store-load.ts'
import { restartStore, type StoreServer } from './store-server.ts'
import { openTriedSite } from './tried-site.ts'
import { checkMediaWhole } from './whole-media.ts'

const TALKERS = 3
const LIFE_MS = { least: 500, most: 6000 }
const AWAY_MS = { least: 0, most: 4000 }
const LOOK_MS = 50
const AFTER_DATABASE_MS_MAX = 30_000

const KINDS = ['node', 'node', 'node', 'worker', 'worker', 'database', 'store'] as const
type Kind = (typeof KINDS)[number]

type Input = {
  database: PostgresServer
  store: StoreServer
  folder: string
  material: Material
  seed: number
  kills: number
  log: (line: string) => void
}

export type ClusterKills = {
  failures: string[]
  kills: Record<Kind, number>
  acts: number
  refusals: number
  /** Answers of nodes to a member whose ban had just been acknowledged. */
  refusedBanned: number
  videos: number
  acknowledged: number
  /** Milliseconds that the other node took for an answer while one was away. */
  otherNode: number[]
  /** Milliseconds from when PostgreSQL was there again until both nodes answered. */
  afterDatabase: number[]
  longestPause: number
  unserved: number
}

/**
 * Kills two nodes behind a proxy, their two workers, PostgreSQL and the store at any moment, while members upload, watch,
 * comment, rate, edit and delete, and one is banned again and again. Afterwards everything acknowledged is there, once.
 */
export async function killInCluster(input: Input): Promise<ClusterKills> {
  const { database, store, folder, material, seed, log } = input
  const random = createRandom(seed, 'cluster')
  const failures: string[] = []
  const kills = { node: 0, worker: 0, database: 0, store: 0 }
  const [otherNode, afterDatabase] = [[] as number[], [] as number[]]
  const env = { ...store.mediaVariables('site'), DATABASE_URL: database.url }
  const scene = await openClusterScene(folder, env)
  const { nodes, workers, balancer, admin } = scene
  const { origin } = balancer
  const dataFolder = join(folder, 'node-1')
  const db = openTriedSite(dataFolder, env)
  const ledger = createLedger()
  const crowd = createCrowd({ origin, db, ledger, material, seed, failures })
  const talk = await startTalk(origin, { db, ledger, material, seed, failures })
  const nodeOrigins = nodes.map(({ process }) => process.origin)
  const endBans = await startBans({ ...talk, admin, nodes: nodeOrigins, ledger, failures })
  const watched = watchKills({ db, dataFolder, env, ledger, failures })

  let told = 0
  for (let kill = 1; kill <= input.kills; kill++) {
    await pause(random.integer(LIFE_MS.least, LIFE_MS.most))
    const kind = random.pick(KINDS)
    const [node, worker] = [random.pick(nodes), random.pick(workers)]
    const away = random.integer(AWAY_MS.least, AWAY_MS.most)
    if (kind === 'node') {
      await node.process.kill()
      const other = nodes.find((one) => one !== node)
      otherNode.push(...(await timeAnswers(other?.process.origin ?? '', away)))
      node.process = await node.start()
    } else if (kind === 'worker') {
      await worker.process.end('SIGKILL')
      await pause(away)
      worker.process = worker.start()
    } else if (kind === 'store') {
      await store.kill()
      await pause(away)
      await store.start()
    } else {
      await database.kill()
      await pause(away)
      await database.start()
      const began = performance.now()
      for (const { process } of nodes) await untilAnswers(process.origin, failures)
      afterDatabase.push(performance.now() - began)
    }
    for (const one of nodes) {
      if (one.process.exitCode() === null) continue
      failures.push(`A node ended by itself: ${one.process.output.join('').slice(-1000)}`)
      one.process = await one.start()
    }
    kills[kind] += 1
    watched.watch(kind === 'worker' ? worker.id : null)
    watched.checkSoon(`${kind}, kill ${kill}`)
    log(`${kill} kills: ${kind}, ${failures.length} failures`)
    for (; told < failures.length; told++) log(failures[told] ?? '')
  }

  const refusedBanned = await endBans()
  const talked = await talk.end()
  const videos = await crowd.end()
  const { pauses, unserved } = await watched.end(origin, videos)
  await scene.end()
  await restartStore(store)
  failures.push(...(await tidyStoppedSite(dataFolder, env)))
  failures.push(...(await checkMediaWhole(dataFolder, env)).wrong)
  failures.push(...(await ledger.check(dataFolder, env)))
  failures.push(...(await checkSiteWhole(dataFolder, env)))
  failures.push(...(await checkContents({ db, dataFolder, env, hashes: crowd.hashes })).wrong)
  await db.destroy()
  return {
    ...{ failures, kills, videos: videos.length, acknowledged: ledger.size(), unserved },
    ...{ acts: crowd.counts.acts + talked, refusals: crowd.counts.refusals },
    ...{ otherNode, afterDatabase, refusedBanned },
    longestPause: Math.max(0, ...pauses),
  }
}

/** Members who comment, rate, upload, edit and delete all the time, whether there is an answer or not. */
async function startTalk(
  origin: string,
  input: {
    db: Database
    ledger: ReturnType<typeof createLedger>
    material: Material
    seed: number
    failures: string[]
  },
): Promise<{ videoId: number; end: () => Promise<number> }> {
  const { db, ledger, material, seed, failures } = input
  const memory = createLoadMemory(seed)
  const members: LoadMember[] = []
  for (let index = 1; index <= TALKERS; index++) {
    // What was sent when a part was away is done or not, and only what was acknowledged counts.
    const client = createSiteClient(origin, unlessLater)
    const id = await client.register(`talker-${index}`)
    if (id === undefined) throw new Error('Nobody could register.')
    members.push({ client, id })
  }
  const videoId = await sendFirstVideo(members[0] as LoadMember, material)
  let isOver = false
  const talking = (async () => {
    while (!isOver) {
      const load = { members, others: [videoId], material, ledger, memory }
      const stop = startMixedLoad({ ...load, isFull: () => manyWait(db) })
      await pause(LIFE_MS.most)
      await stop()
    }
  })()
  const end = async () => {
    isOver = true
    await talking
    failures.push(...memory.unplanned)
    return memory.acts
  }
  return { videoId, end }
}

/** One that all may comment on. */
async function sendFirstVideo({ client }: LoadMember, { clip }: Material): Promise<number> {
  const opened = await client.initialize({ title: 'First', size: clip.length })
  const { uploadId, chunkSize } = opened?.json<{ uploadId: string; chunkSize: number }>() ?? {}
  if (!uploadId || !chunkSize) throw new Error(`No upload was opened: ${opened?.text}`)
  for (let index = 0; index * chunkSize < clip.length; index++) {
    await client.chunk(uploadId, index, clip)
  }
  const completed = await client.complete(uploadId)
  return completed?.json<{ videoId: number }>().videoId ?? 0
}

/** How long answers take that a visitor waits for, who asks for something new each time. */
async function timeAnswers(origin: string, milliseconds: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const began = performance.now()
    const answer = await fetch(`${origin}/api/videos?limit=24&n=${began}`).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    times.push(answer?.ok ? performance.now() - began : Number.POSITIVE_INFINITY)
    await pause(LOOK_MS)
  }
  return times
}

async function untilAnswers(origin: string, failures: string[]): Promise<void> {
  for (const end = performance.now() + AFTER_DATABASE_MS_MAX; ; await pause(LOOK_MS)) {
    const answer = await fetch(`${origin}/api/videos?n=${end}`).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    if (answer?.ok) return
    if (answer && (answer.status !== 503 || !answer.headers.get('retry-after'))) {
      failures.push(`Without the database a node answered ${answer.status}: ${text}`)
    }
    if (performance.now() < end) continue
    failures.push('A node did not answer again after the database was there.')
    return
  }
}
