import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import type { Failpoint } from '#server/platform/failpoints.ts'
import { createRandom } from '#tools/seed/random.ts'
import { type Material, sceneOf, type Visit } from './kill-scenes.ts'
import type { Ledger } from './ledger.ts'
import { type Answer, createSiteClient } from './site-client.ts'

const MEMBERS = 3
/** With so many jobs that wait the members wait too: what is tried is not how long a queue may be. */
const WAITING_MAX = 4
const POLL_MS = 300
/** What cannot be done by then never is. */
const SCENE_MS_MAX = 300_000
/** Upload one that is kept as it is, or has to be encoded; with a picture; and delete; and a picture of one's own. */
const SCENES: Failpoint[] = [
  'upload.folder-made',
  'transcode.made',
  'files.moved',
  'delete.marked',
  'picture.moved',
]
const UPLOADS = /^(upload|chunk|thumbnail|complete|job|ladder|transcode|files|retired)\./

type Input = {
  origin: string
  db: Database
  ledger: Ledger
  material: Material
  seed: number
  failures: string[]
}

/** Members who do what they want in the end, whatever dies meanwhile, as the pages do: they ask again. */
export function createCrowd(input: Input) {
  const { origin, db, ledger, material, failures } = input
  const videos: number[] = []
  /** By the address of each file that was sent whole. */
  const hashes = new Map<string, string>()
  const counts = { acts: 0, refusals: 0, played: 0 }
  let visits = 0
  let isOver = false

  /** Someone new, and how often they had no answer, or were asked to come back. */
  async function beginVisit(): Promise<{ visit: Visit; misses: () => number } | undefined> {
    let misses = 0
    const client = createSiteClient(origin, (answer) => {
      if (answer && answer.status !== 503) return answer
      misses += 1
      if (!answer) return undefined
      counts.refusals += 1
      const sentence = sentenceOf(answer)
      if (!/^The (place|server|database).*\.$/.test(sentence))
        failures.push(`A 503 said: ${sentence}`)
      return undefined
    })
    const name = `member-${++visits}`
    const id = await client.register(name)
    if (id === undefined) return undefined
    ledger.member(id)
    const member = { id, name }
    const visit = { client, ledger, material, member, otherVideo: 0, failures }
    return { visit, misses: () => misses }
  }

  /** What leads to a step, by someone new, until it is done. */
  async function act(step: Failpoint): Promise<void> {
    const begun = await beginVisit()
    const scene = sceneOf(step)
    if (!begun || !scene) return void (await pause(POLL_MS))
    const { visit, misses } = begun
    const deadline = performance.now() + SCENE_MS_MAX
    let before = misses()
    await scene.act(visit)
    while (misses() !== before) {
      if (performance.now() > deadline) {
        failures.push(`What leads to ${step} could not be done by ${visit.member.name}.`)
        return
      }
      await pause(POLL_MS)
      before = misses()
      await scene.again(visit)
    }
    counts.acts += 1
    if (visit.videoId !== undefined && UPLOADS.test(step)) videos.push(visit.videoId)
  }

  const members = Array.from({ length: MEMBERS }, async (_, member) => {
    const random = createRandom(input.seed, `store-${member}`)
    while (!isOver) {
      await untilFewWait(db, () => isOver)
      if (!isOver) await act(random.pick(SCENES))
    }
  })

  /** Plays what there is, and compares it with what was sent the first time. */
  const watching = (async () => {
    const random = createRandom(input.seed, 'store-viewer')
    while (!isOver) {
      await pause(POLL_MS)
      const { rows } = await sql<{ url: string }>`
        SELECT '/media/' || "mediaKey" || '/' || name AS url FROM "mediaFiles"
        JOIN videos ON videos.id = "videoId"
        WHERE "processingState" = 'ready' AND "retiredAt" IS NULL`.execute(db)
      if (rows.length > 0) await play(random.pick(rows).url)
    }
  })()

  /** @returns its status; undefined when it broke off */
  async function play(url: string): Promise<number | undefined> {
    const answer = await fetch(origin + url).catch(() => undefined)
    const bytes = await answer?.arrayBuffer().catch(() => undefined)
    if (!answer || !bytes) return undefined
    if (answer.status === 200) {
      counts.played += 1
      const hash = createHash('sha256').update(new Uint8Array(bytes)).digest('hex')
      if ((hashes.get(url) ?? hash) !== hash) failures.push(`${url} is not what it was before.`)
      hashes.set(url, hash)
    } else if (![404, 503].includes(answer.status)) {
      failures.push(`${url} was answered ${answer.status}.`)
    }
    return answer.status
  }

  return {
    act,
    play,
    hashes,
    counts,
    /** Lets all end what they began. @returns the ids of the videos that must play */
    async end(): Promise<number[]> {
      isOver = true
      await Promise.all([...members, watching])
      return videos
    },
  }
}

function sentenceOf({ text }: Answer): string {
  if (!text.startsWith('{')) return text
  const { error } = JSON.parse(text) as { error?: { message?: string } | string }
  return (typeof error === 'string' ? error : error?.message) ?? text
}

async function untilFewWait(db: Database, isOver: () => boolean): Promise<void> {
  while (!isOver() && (await manyWait(db))) await pause(POLL_MS)
}

/** Whether members rather do something else than upload. */
export async function manyWait(db: Database): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM jobs WHERE state = 'queued'`.execute(db)
  return (rows[0]?.count ?? 0) >= WAITING_MAX
}
