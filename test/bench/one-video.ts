import type { Benchmark } from './benchmark.ts'
import { askBothWays, compareRequests, trpcPath } from './request-load.ts'

const row = 'one-video' as const
const goals = { row, rateGoal: 0.35, signedIn: true } as const

export const oneVideo: Benchmark = {
  name: 'video',
  title: 'One video with its channel and one’s own like',
  run: (input) => {
    const id = Math.ceil(input.videos / 2)
    return compareRequests(input, [
      ...askBothWays('signed in, REST', `/api/videos/${id}`, goals),
      ...askBothWays('signed in, tRPC', trpcPath('video.get', { id }), goals),
      ...askBothWays('visitor, tRPC', trpcPath('video.get', { id }), { row }),
    ])
  },
}
