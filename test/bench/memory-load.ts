import { setTimeout as pause } from 'node:timers/promises'
import type { Benchmark } from './benchmark.ts'
import { atMost } from './goal.ts'
import { fromNewPlaces, newest, overRest } from './home-list.ts'
import { putLoad } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

/** With fewer seconds per kind of request than this, a third of the requests are made. */
const FULL_SECONDS = 1
const REQUESTS = 220_000
const REST_MS = 60_000
/** The same list, other places of it by both ways, and single videos. */
const rest = overRest('/api/videos?limit=24')
const KINDS = [
  () => ({ path: newest }),
  fromNewPlaces.vary,
  rest.vary,
  (turn: number) => ({ path: `/api/videos/${1 + (turn % 500)}` }),
]

export const memoryLoad: Benchmark = {
  name: 'memory-load',
  title: 'Memory while visitors ask, and a minute later',
  async run(input) {
    const site = await startSite(await seededSite(input))
    try {
      const requests = input.seconds < FULL_SECONDS ? REQUESTS / 3 : REQUESTS
      let made = 0
      const vary = (turn: number) => {
        made++
        return (KINDS[turn % KINDS.length] ?? fromNewPlaces.vary)(turn)
      }
      while (made < requests) {
        await putLoad(site, { what: 'mixed requests', path: newest, vary, seconds: 5 })
      }
      const peak = await site.memory('peak')
      await pause(REST_MS)
      const rested = await site.memory('now')
      const row = { row: 'memory-load', unit: 'MB', floorName: null, floor: null } as const
      const what = `${made} mixed requests of visitors`
      return [
        { ...row, what: `${what}, at most`, ours: peak ?? Number.NaN, goal: atMost(300) },
        { ...row, what: 'a minute later', ours: rested ?? Number.NaN, goal: atMost(200) },
      ]
    } finally {
      await site.stop()
    }
  },
}
