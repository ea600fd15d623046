import type { Benchmark } from './benchmark.ts'
import { type Asked, askBothWays, compareRequests, trpcPath } from './request-load.ts'

const goals = { row: 'home-visitor', rateGoal: 0.8, p99Goal: 8 } as const

const asMember = { row: 'home-member', rateGoal: 0.3, signedIn: true } as const
const named = (asked: Asked) => ({ ...asked, what: `signed in, ${asked.what}` })

export const homeList: Benchmark = {
  name: 'home',
  title: 'The newest videos, as a visitor and signed in',
  run: (input) =>
    compareRequests(input, [
      ...askBothWays('24 videos, REST', '/api/videos?limit=24', goals),
      ...askBothWays('24 videos, tRPC', trpcPath('video.list', { limit: 24 }), goals),
      ...askBothWays('48 videos, REST', '/api/videos', { row: 'home-visitor' }),
      ...askBothWays('24 videos, tRPC', trpcPath('video.list', { limit: 24 }), asMember).map(named),
    ]),
}
