import { type Benchmark, type BenchmarkInput, type Measurement, takeTurns } from './benchmark.ts'
import { findMostDiscussed } from './comments.ts'
import { atMost } from './goal.ts'
import { signIn } from './member.ts'
import { type Asked, putLoad, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startSite } from './server-child.ts'

const SMALL = 1000
const LARGE = 1_000_000
/** What both sites are asked; by a visitor under an address that was never asked, or by a member. */
const QUESTIONS = ['home list', 'home list, signed in', 'one video, signed in', 'comments'] as const

type Question = (typeof QUESTIONS)[number]
type Site = { server: ServerChild; asked: Record<Question, Asked> }

/** How much longer an answer takes on a site a thousand times as large. */
export const growth: Benchmark = {
  name: 'growth',
  title: 'The same questions to 1,000 and to 1,000,000 videos',
  million: true,
  async run(input) {
    const [small, large] = [await open(input, SMALL), await open(input, LARGE)]
    try {
      const found: Measurement[] = []
      for (const question of QUESTIONS) {
        const ask = ({ server, asked }: Site) =>
          putLoad(server, { ...asked[question], seconds: input.seconds })
        for (const site of [small, large]) await ask(site)
        const both = await takeTurns(
          { small: () => ask(small), large: () => ask(large) },
          (load) => load.perSecond,
        )
        found.push({
          ...{ row: 'growth', what: question, unit: 'times', goal: atMost(1.15) },
          ours: both.small.perSecond / both.large.perSecond,
          ...{ floorName: null, floor: null },
          remark: `${Math.round(both.small.perSecond)} and ${Math.round(both.large.perSecond)} req/s`,
        })
      }
      return found
    } finally {
      await Promise.all([small.server.stop(), large.server.stop()])
    }
  },
}

async function open(input: BenchmarkInput, videos: number): Promise<Site> {
  const dataFolder = await seededSite({ ...input, videos })
  const server = await startSite(dataFolder)
  const cookie = await signIn(server.origin, dataFolder)
  const { id } = await findMostDiscussed(dataFolder)
  const list = { what: '', path: trpcPath('video.list', { limit: 24 }), anew: true }
  const video = trpcPath('video.get', { id: Math.ceil(videos / 2) })
  return {
    server,
    asked: {
      'home list': list,
      'home list, signed in': { ...list, cookie },
      'one video, signed in': { ...list, path: video, cookie },
      comments: { ...list, path: trpcPath('comment.list', { id, limit: 10 }) },
    },
  }
}
