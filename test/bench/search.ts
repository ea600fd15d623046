import type { Benchmark } from './benchmark.ts'
import { compareRequests, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const newest = { q: 'clutch', sort: 'date' }

export const search: Benchmark = {
  name: 'search',
  title: 'Search, as a visitor',
  async run(input) {
    const site = await startSite(await seededSite(input))
    const found = await fetch(`${site.origin}/api/search?q=nuke`)
    await site.stop()
    if (found.status === 404) return []
    const anew = (what: string, path: string) => {
      return { what, path, anew: true, row: 'search', p99Goal: 20 } as const
    }
    return compareRequests(input, [
      anew('a word in few videos', '/api/search?q=cherry'),
      anew('a word in many videos', '/api/search?q=clutch'),
      anew('a word in most videos', '/api/search?q=the'),
      anew('the begin of a word', '/api/search?q=mir'),
      anew('two letters', '/api/search?q=mi'),
      anew('a word with a typo', '/api/search?q=infreno'),
      anew('many videos, newest first, tRPC', trpcPath('search.videos', newest)),
      {
        ...{
          what: 'suggestions, tRPC',
          path: trpcPath('search.suggest', { q: 'mir' }),
          anew: true,
        },
        ...{ row: 'suggestions', p99Goal: 10 },
      },
    ])
  },
}
