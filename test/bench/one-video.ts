import type { Benchmark } from './benchmark.ts'
import { listVideoIds } from './growth.ts'
import { askBothWays, compareRequests, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'

const row = 'one-video' as const
const goals = { row, rateGoal: 0.1, signedIn: true } as const

export const oneVideo: Benchmark = {
  name: 'video',
  title: 'One video with its channel and one’s own like',
  run: async (input) => {
    const id = Math.ceil(input.videos / 2)
    const ids = await listVideoIds(await seededSite(input), 1)
    // One after the other: an answer is cached for a second, and no second is enough for them all.
    const vary = (turn: number) => ({
      path: trpcPath('video.get', { id: ids[turn % ids.length] }),
    })
    return compareRequests(input, [
      { what: 'signed in, REST', path: `/api/videos/${id}`, ...goals },
      { what: 'signed in, tRPC', path: trpcPath('video.get', { id }), ...goals },
      ...askBothWays('visitor, tRPC', { path: trpcPath('video.get', { id }), vary }, { row }),
    ])
  },
}
