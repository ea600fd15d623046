import type { Benchmark } from './benchmark.ts'
import { askBothWays, compareRequests, trpcPath } from './request-load.ts'

const goals = { row: 'one-video', rateGoal: 0.35 } as const

export const oneVideo: Benchmark = {
  name: 'video',
  title: 'One video, as a visitor',
  run: (input) => {
    const id = Math.ceil(input.videos / 2)
    return compareRequests(input, [
      ...askBothWays('one video, REST', `/api/videos/${id}`, goals),
      ...askBothWays('one video, tRPC', trpcPath('video.get', { id }), goals),
    ])
  },
}
