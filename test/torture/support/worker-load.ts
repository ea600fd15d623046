import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { createRandom } from '#tools/seed/random.ts'
import { type Material, type Scene, sceneOf, type Visit } from './kill-scenes.ts'
import type { Ledger } from './ledger.ts'
import { createSiteClient } from './site-client.ts'

const MEMBERS = 3
/** With so many jobs that wait the members wait too: what is tried is not how long a queue may be. */
const WAITING_MAX = 4
const POLL_MS = 200
/** An upload that cannot be completed by then never is. */
const UPLOAD_MS_MAX = 300_000

type Input = {
  origin: string
  db: Database
  ledger: Ledger
  material: Material
  seed: number
  failures: string[]
}

/**
 * Members who upload one recording after the other, half of them such as have to be encoded, and who go on as the upload
 * page does whenever the site was gone.
 * @returns ends it once all have what they began, and answers the ids of the videos
 */
export function startUploads(input: Input): () => Promise<number[]> {
  const videos: number[] = []
  let isOver = false
  const members = Array.from({ length: MEMBERS }, async (_, member) => {
    const random = createRandom(input.seed, `uploads-${member}`)
    for (let turn = 0; !isOver; turn++) {
      await untilFewWait(input.db, () => isOver)
      const visit = await beginVisit(input, `member-${member}-${turn}`)
      if (!visit) continue
      const scene = sceneOf(random.chance(0.5) ? 'upload.folder-made' : 'transcode.made')
      if (scene) await uploadAtLast(visit, scene)
      if (visit.videoId !== undefined) videos.push(visit.videoId)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(members)
    return videos
  }
}

async function beginVisit(
  { origin, ledger, material, failures }: Input,
  name: string,
): Promise<Visit | undefined> {
  const client = createSiteClient(origin)
  const id = await client.register(name)
  if (id === undefined) {
    await pause(POLL_MS)
    return undefined
  }
  ledger.member(id)
  return { client, ledger, material, member: { id, name }, otherVideo: 0, failures }
}

async function uploadAtLast(visit: Visit, scene: Scene): Promise<void> {
  const deadline = performance.now() + UPLOAD_MS_MAX
  await scene.act(visit)
  while (visit.videoId === undefined) {
    if (performance.now() > deadline) {
      visit.failures.push(`The upload of ${visit.member.name} could not be completed.`)
      return
    }
    await pause(POLL_MS)
    await scene.again(visit)
  }
}

async function untilFewWait(db: Database, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM jobs WHERE state = 'queued'`.execute(db)
    if ((rows[0]?.count ?? 0) < WAITING_MAX) return
    await pause(POLL_MS)
  }
}
