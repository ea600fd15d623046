import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type FaultProxy, startFaultProxy } from '#test/support/fault-proxy.ts'
import type { PostgresServer } from '#test/support/postgres-server.ts'
import { until } from '#test/support/until.ts'
import type { Material } from './kill-scenes.ts'
import { checkPlaying } from './playing-videos.ts'
import { type Answer, createSiteClient, resultOf, type SiteClient } from './site-client.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'
import type { StoreServer } from './store-server.ts'
import { openTriedSite, type Variables } from './tried-site.ts'
import { waitUntilFinished } from './unfinished.ts'

/** Longer than a node has a job that it does not renew, and a job waits until another one takes it. */
const HELD_MS = 100_000
const HELD_WITHIN_MS = 240_000
/** Steps of a ladder: the same recording makes other files at each node. */
const RENDITIONS = ['240', '360,144', '480,240,144']

type Input = {
  database: PostgresServer
  store: StoreServer
  folder: string
  material: Material
  rounds: number
  log: (line: string) => void
}
type Node = { process: SiteProcess; proxy: FaultProxy }

/** One way to have a file made. */
type Kind = {
  name: string
  /** The address of the PUT in whose middle a node is stopped. */
  of: RegExp
  /** Done at one node, and once more at another when the first was stopped meanwhile. */
  act: (client: SiteClient, scene: Scene) => Promise<unknown>
  /** The node that answers has to do it itself: others cannot take it over. */
  isOfRequest?: boolean
}
type Scene = { material: Material; video: number }

/**
 * Stops nodes of a site, each with other steps of the ladder, in the middle of a PUT of every kind of file, until another one
 * has made the same and published it and the PUT has arrived.
 */
export async function stopInPuts(input: Input) {
  const { database, store, folder, material, rounds, log } = input
  const env: Variables = { ...store.mediaVariables('site'), DATABASE_URL: database.url }
  const dataFolder = join(folder, 'node-1')
  const nodes = await startAll(input)
  const db = openTriedSite(dataFolder, env)
  const failures: string[] = []
  const origins = nodes.map(({ process }) => process.origin)
  const member = createSiteClient(origins[0] ?? '')
  await member.register('admin', await nodes.at(-1)?.process.setupCode())
  const clients = origins.map((origin) => createSiteClient(origin))
  for (const client of clients) client.setCookie(member.cookie())
  let [stops, late] = [0, 0]
  for (let round = 1; round <= rounds; round++) {
    const kind = KINDS[(round - 1) % KINDS.length] as Kind
    const video = await uploadVideo(member, material.clip)
    failures.push(...(await waitUntilFinished(dataFolder, env)))
    const scene = { material, video }
    for (const { proxy } of nodes) proxy.fail({ lateMs: HELD_MS }, { times: 1, of: putOf(kind) })
    const first = (round - 1) % nodes.length
    const before = nodes.map(({ proxy }) => proxy.late.length)
    const acting = kind.act(clients[first] as SiteClient, scene).catch(() => undefined)
    const findVictim = () =>
      nodes.findIndex(({ proxy }, at) => proxy.late.length > (before[at] ?? 0))
    const isHeld = await until(() => findVictim() >= 0, { timeoutMs: HELD_WITHIN_MS }).then(
      () => true,
      () => false,
    )
    for (const { proxy } of nodes) proxy.heal()
    if (!isHeld) {
      failures.push(`Round ${round}, ${kind.name}: nothing was put.`)
      continue
    }
    const victim = nodes[findVictim()] as Node
    process.kill(victim.process.pid, 'SIGSTOP')
    stops += 1
    const arrivals = victim.proxy.countArrivals()
    const other = clients[(findVictim() + 1) % nodes.length] as SiteClient
    if (kind.isOfRequest) await kind.act(other, scene)
    failures.push(...(await waitUntilFinished(dataFolder, env)))
    if (victim.proxy.countArrivals() === arrivals) late += 1
    await until(() => victim.proxy.countArrivals() > arrivals, { timeoutMs: 3 * HELD_MS })
    await pause(500)
    process.kill(victim.process.pid, 'SIGCONT')
    await acting
    await pause(2000)
    failures.push(...(await waitUntilFinished(dataFolder, env)))
    log(`round ${round}, ${kind.name}: ${late} late, ${failures.length} failures`)
  }
  const { rows } = await sql<{ id: number }>`SELECT id FROM videos
    WHERE "processingState" <> 'deleting' AND id NOT IN (SELECT "videoId" FROM cuts)`.execute(db)
  const videos = rows.map(({ id }) => Number(id))
  const playing = { origin: origins[0] ?? '', db, videos, client: member }
  failures.push(...(await checkPlaying(playing)))
  for (const { process: node, proxy } of nodes) {
    await node.kill()
    await proxy.stop()
  }
  await db.destroy()
  const kinds = KINDS.slice(0, rounds).map(({ name }) => name)
  return { dataFolder, env, failures, stops, late, kinds, videos: videos.length }
}

async function startAll({ database, store, folder }: Input): Promise<Node[]> {
  const nodes: Node[] = []
  for (const [at, renditions] of RENDITIONS.entries()) {
    const dataFolder = join(folder, `node-${at + 1}`)
    await mkdir(dataFolder, { recursive: true })
    const proxy = await startFaultProxy(store.endpoint)
    const env = {
      ...store.mediaVariables('site', proxy.endpoint),
      ...{ DATABASE_URL: database.url, PROCESSING_JOBS: '1', RENDITIONS: renditions },
    }
    const process = await startSiteProcess({ dataFolder, env })
    if (!process.answered) throw new Error(`It did not start:\n${process.output.join('')}`)
    nodes.push({ process, proxy })
  }
  return nodes
}

const putOf = ({ of }: Kind) => new RegExp(`^PUT .*${of.source}`)

let titles = 0
const newTitle = () => `Recording ${++titles}`

/** @throws when it is refused */
async function uploadVideo(
  client: SiteClient,
  bytes: Buffer,
  replacesVideoId?: number,
): Promise<number> {
  const { uploadId } = await sendUpload(client, bytes, replacesVideoId)
  const answer = requireOk(await client.complete(uploadId))
  return answer.json<{ videoId: number }>().videoId
}

async function sendUpload(client: SiteClient, bytes: Buffer, replacesVideoId?: number) {
  const title = newTitle()
  const opened = await client.send('POST', '/api/uploads/initialize', {
    fileName: `${title}.mp4`,
    fileSize: bytes.length,
    metadata: { title },
    replacesVideoId,
  })
  const { uploadId, chunkSize } = requireOk(opened).json<{ uploadId: string; chunkSize: number }>()
  for (let index = 0; index < Math.ceil(bytes.length / chunkSize); index++) {
    requireOk(await client.chunk(uploadId, index, bytes))
  }
  return { uploadId }
}

function requireOk(answer: Answer | undefined): Answer {
  if (answer && answer.status < 300) return answer
  throw new Error(`It was refused: ${answer?.status} ${answer?.text}`)
}

const call = async (client: SiteClient, name: string, input: object) =>
  resultOf<{ id?: number; videoId?: number }>(requireOk(await client.call(name, input)))

let pictures = 0
const nextPicture = ({ material }: Scene) => material.pictures[pictures++ % 2] as Buffer

const VIDEO = /\/media\/.*\/(first|video)[^/]*\.mp4$/
const KINDS: Kind[] = [
  {
    name: 'transcode',
    of: VIDEO,
    act: (client, { material }) => uploadVideo(client, material.needsTranscode),
  },
  ...(['hls', '\\d+p', 'storyboard', 'waveform'] as const).map(
    (file): Kind => ({
      name: `ladder (${file.replace('\\d+', 'N')})`,
      of: new RegExp(`/media/.*/${file}[^/]*$`),
      act: (client, { material }) => uploadVideo(client, material.clip),
    }),
  ),
  {
    name: 'cut',
    of: VIDEO,
    act: (client, { video: videoId }) =>
      call(client, 'cut.start', {
        ...{ videoId, parts: [{ fromSeconds: 0, toSeconds: 2 }], as: 'new', title: newTitle() },
      }),
  },
  {
    name: 'cut in place',
    of: VIDEO,
    act: (client, { video: videoId }) =>
      call(client, 'cut.start', {
        ...{ videoId, parts: [{ fromSeconds: 0, toSeconds: 2 }], as: 'replace' },
      }),
  },
  {
    name: 'clip',
    of: /\/clip-[^/]*\.mp4$/,
    act: (client, { video: videoId }) =>
      call(client, 'clip.create', { videoId, title: 'Ace', startSeconds: 0, endSeconds: 2 }),
  },
  {
    name: 'montage',
    of: VIDEO,
    act: (client, { video: videoId }) => {
      const item = { videoId, fromSeconds: 0, toSeconds: 2 }
      const input = { title: newTitle(), transition: 'fade', titleCard: true }
      return call(client, 'montage.start', { ...input, items: [item, item] })
    },
  },
  {
    name: 'replaced recording',
    of: VIDEO,
    act: (client, { material, video }) => uploadVideo(client, material.needsTranscode, video),
  },
  {
    name: 'upload',
    of: VIDEO,
    isOfRequest: true,
    // The second time it is the same upload that is completed.
    act: async (client, scene) => {
      const known = uploads.get(scene)
      const { uploadId } = known ?? (await sendUpload(client, scene.material.clip))
      uploads.set(scene, { uploadId })
      return client.complete(uploadId)
    },
  },
  {
    name: 'picture',
    of: /\/media\/.*\.(jpg|webp)$/,
    isOfRequest: true,
    act: (client, scene) => client.poster(scene.video, nextPicture(scene)),
  },
  {
    name: 'captions',
    of: /\.vtt$/,
    isOfRequest: true,
    act: (client, { video }) =>
      client.captions(video, 'en', 'WEBVTT\n\n00:00.000 --> 00:01.000\nGo\n'),
  },
  {
    name: 'avatar',
    of: /\/avatar-/,
    isOfRequest: true,
    act: (client, scene) => client.avatar(nextPicture(scene)),
  },
]
const uploads = new WeakMap<Scene, { uploadId: string }>()
