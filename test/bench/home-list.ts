import { encodeCursor } from '#server/platform/db/paging.ts'
import type { Benchmark } from './benchmark.ts'
import { type Asked, askBothWays, compareRequests, trpcPath } from './request-load.ts'

const goals = { row: 'home-visitor', rateGoal: 0.8 } as const

const asMember = { row: 'home-member', rateGoal: 0.1, signedIn: true } as const

/** As Chromium asks a site on this machine; browsers take Brotli from all that are reached by TLS. */
const BROWSERS_ACCEPT = 'gzip, deflate, br, zstd'

const LIMIT = 24
const MINUTE_MS = 60_000
/** The seeded videos end here; most of them are of the months before. */
const SEEDED_UNTIL = Date.parse('2026-11-01')
const MINUTES = 120 * 24 * 60
/** Spreads turns over the minutes: it has no divisor in common with them. */
const STRIDE = 7919

/** A cache hit, as `askBothWays` has it, by a browser. */
function askAsBrowser(what: string, path: string): Asked {
  const asked = { what: `${what}, cache hit, by a browser`, path, isHit: true }
  return { ...asked, accepts: BROWSERS_ACCEPT, ...goals }
}

/** The list as the home page asks for it. */
export const newest = trpcPath('video.list', { limit: LIMIT })

/** The list from a place where it was not begun before, so that each answer is read from the database. */
export const fromNewPlaces = {
  path: newest,
  vary: (turn) => ({ path: trpcPath('video.list', { limit: LIMIT, cursor: newPlace(turn) }) }),
} satisfies Pick<Asked, 'path' | 'vary'>

/** A cursor to somewhere in the list, another one each time. */
function newPlace(turn: number): string {
  const ageMs = ((turn * STRIDE) % MINUTES) * MINUTE_MS
  const time = new Date(SEEDED_UNTIL - ageMs).toISOString()
  return encodeCursor({ time, id: turn + 1 })
}

/** As `fromNewPlaces`, over REST. */
export const overRest = (path: string) => ({
  path,
  vary: (turn: number) => ({
    path: `${path}${path.includes('?') ? '&' : '?'}cursor=${newPlace(turn)}`,
  }),
})

export const homeList: Benchmark = {
  name: 'home',
  title: 'The newest videos, as a visitor and signed in',
  run: (input) =>
    compareRequests(input, [
      ...askBothWays('24 videos, REST', overRest('/api/videos?limit=24'), goals),
      askAsBrowser('24 videos, REST', '/api/videos?limit=24'),
      ...askBothWays('24 videos, tRPC', fromNewPlaces, goals),
      askAsBrowser('24 videos, tRPC', newest),
      ...askBothWays('48 videos, REST', overRest('/api/videos'), { row: 'home-visitor' }),
      { what: 'signed in, 24 videos, tRPC', path: newest, ...asMember },
    ]),
}
