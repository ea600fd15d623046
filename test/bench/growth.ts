import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { isPublicVideo } from '#server/video/video/video.access.ts'
import { type Benchmark, type BenchmarkInput, type Measurement, takeTurns } from './benchmark.ts'
import { listMostDiscussed } from './comments.ts'
import { atMost } from './goal.ts'
import type { RowName } from './goal-table.ts'
import { fromNewPlaces } from './home-list.ts'
import { signIn } from './member.ts'
import { requireShare, shareFromMemory } from './memory-share.ts'
import { type Asked, cursorBeforeAll, putLoad, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startSite } from './server-child.ts'

const SMALL = 1000
const LARGE = 1_000_000
/** So many members ask for so many videos that more is asked than the server keeps; the same on both sites. */
const MEMBERS = 4
const DISCUSSED = 50
/** What both sites are asked, about something else each time. */
const QUESTIONS = ['home list', 'home list, signed in', 'one video, signed in', 'comments'] as const

type Question = (typeof QUESTIONS)[number]
type Site = { server: ServerChild; asked: Record<Question, Asked> }
type Sizes = { small: Site; large: Site }

/** How much longer an answer takes on a site a thousand times as large. */
export const growth: Benchmark = {
  name: 'growth',
  title: 'The same questions to 1,000 and to 1,000,000 videos',
  long: true,
  async run(input) {
    const [small, large] = [await open(input, SMALL), await open(input, LARGE)]
    try {
      return await compareSizes(input, { small, large }, { row: 'growth', limit: 1.15 })
    } finally {
      await Promise.all([small.server.stop(), large.server.stop()])
    }
  },
}

/** Asks both the same. */
export async function compareSizes(
  input: BenchmarkInput,
  { small, large }: Sizes,
  goal: { row: RowName; limit: number },
): Promise<Measurement[]> {
  const found: Measurement[] = []
  for (const question of QUESTIONS) {
    const ask = ({ server, asked }: Site) =>
      putLoad(server, { ...asked[question], seconds: input.seconds })
    for (const site of [small, large]) await ask(site)
    const both = await takeTurns(
      { small: () => ask(small), large: () => ask(large) },
      (load) => load.perSecond,
    )
    for (const site of [small, large]) {
      const share = await shareFromMemory(site.server, () => ask(site))
      if (share !== undefined) requireShare(share, { what: question, isHit: false })
    }
    found.push({
      ...{ row: goal.row, what: question, unit: 'times', goal: atMost(goal.limit) },
      ours: both.small.perSecond / both.large.perSecond,
      ...{ floorName: null, floor: null },
      remark: `${Math.round(both.small.perSecond)} and ${Math.round(both.large.perSecond)} req/s`,
    })
  }
  return found
}

async function open(input: BenchmarkInput, videos: number): Promise<Site> {
  const dataFolder = await seededSite({ ...input, videos })
  const server = await startSite(dataFolder)
  return { server, asked: await listQuestions(server, { dataFolder, videos }) }
}

/**
 * What a site of so many videos is asked.
 * @param site.dataFolder of the seeded site that it is, or was moved from
 */
export async function listQuestions(
  server: ServerChild,
  { dataFolder, videos }: { dataFolder: string; videos: number },
): Promise<Record<Question, Asked>> {
  const cookies: string[] = []
  for (let index = 0; index < MEMBERS; index++) {
    cookies.push(await signIn(server.origin, dataFolder, 2 + index))
  }
  const [cookie = ''] = cookies
  const discussed = await listMostDiscussed(dataFolder, DISCUSSED)
  const ids = await listVideoIds(dataFolder, videos / SMALL)
  const toVideo = (turn: number) => {
    const cookie = cookies[Math.floor(turn / ids.length) % MEMBERS] ?? ''
    return { path: trpcPath('video.get', { id: ids[turn % ids.length] }), cookie }
  }
  const toComments = (turn: number) => {
    const cursor = cursorBeforeAll(turn)
    const id = discussed[turn % discussed.length]?.id
    return { path: trpcPath('comment.list', { id, limit: 10, cursor }) }
  }
  const ask = (vary: NonNullable<Asked['vary']>) => ({
    ...{ what: '', path: '/', vary },
  })
  return {
    'home list': { what: '', ...fromNewPlaces },
    'home list, signed in': { what: '', ...fromNewPlaces, cookie },
    'one video, signed in': ask(toVideo),
    comments: ask(toComments),
  }
}

/** Every so many of the videos that everybody may see. */
export async function listVideoIds(dataFolder: string, step: number): Promise<number[]> {
  const db = openDatabaseToRead(dataFolder)
  const rows = await db.selectFrom('videos').select('id').where(isPublicVideo).execute()
  await db.destroy()
  return rows.map(({ id }) => id).filter((id) => id % step === 0)
}
