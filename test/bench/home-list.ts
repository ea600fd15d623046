import type { Benchmark } from './benchmark.ts'
import { askBothWays, compareRequests, trpcPath } from './request-load.ts'

export const homeList: Benchmark = {
  name: 'home',
  title: 'The newest videos, as a visitor',
  run: (input) =>
    compareRequests(input, [
      ...askBothWays('home list, 24 videos, REST', '/api/videos?limit=24'),
      ...askBothWays('home list, 24 videos, tRPC', trpcPath('video.list', { limit: 24 })),
      ...askBothWays('home list, 48 videos, REST', '/api/videos'),
    ]),
}
