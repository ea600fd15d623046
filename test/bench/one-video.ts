import type { Benchmark } from './benchmark.ts'
import { askBothWays, compareRequests, trpcPath } from './request-load.ts'

const row = 'one-video' as const
const goals = { row, rateGoal: 0.1, signedIn: true } as const

export const oneVideo: Benchmark = {
  name: 'video',
  title: 'One video with its channel and one’s own like',
  run: (input) => {
    const id = Math.ceil(input.videos / 2)
    return compareRequests(input, [
      { what: 'signed in, REST', path: `/api/videos/${id}`, isMiss: false, ...goals },
      { what: 'signed in, tRPC', path: trpcPath('video.get', { id }), isMiss: false, ...goals },
      ...askBothWays('visitor, tRPC', trpcPath('video.get', { id }), { row }),
    ])
  },
}
