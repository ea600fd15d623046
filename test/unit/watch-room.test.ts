import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Player } from '#client/watch/player/core/player.ts'
import { followRoom } from '#client/watch/watch-room/follow-room.ts'
import { createRoom, type Room } from '#client/watch/watch-room/room.ts'
import { positionAt, type RoomPlayback } from '#shared/watch-rooms.ts'
import { createRandom } from '#tools/seed/random.ts'

const PAGES = 8
const MINUTES = 30
const DURATION_SECONDS = 2 * 60 * 60
const ITEM_ID = 1
const SAMPLE_MS = 500
/** A page that stalled catches up meanwhile, and is not compared. */
const CATCHES_UP_MS = 5000
/** The clock of a sound card differs from the computer's by up to this share. */
const DRIFT = 1e-4

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('HTMLMediaElement', { HAVE_METADATA: 1, HAVE_FUTURE_DATA: 3 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const serverNow = () => 1e12 + performance.now()
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A media element whose clock drifts, whose seeks take time, and which can stall. */
class SimulatedVideo extends EventTarget {
  paused = true
  ended = false
  seeking = false
  readyState = 4
  muted = true
  isConnected = true
  /** How often it was paused. */
  pauses = 0
  stalledAt = Number.NEGATIVE_INFINITY
  #rate = 1
  #place = 0
  #since = performance.now()
  readonly #drift: number
  readonly #seekMs: number

  constructor(input: { drift: number; seekMs: number }) {
    super()
    this.#drift = input.drift
    this.#seekMs = input.seekMs
  }

  get #isMoving(): boolean {
    return !this.paused && !this.seeking && this.readyState >= 3
  }

  /** Call it before anything changes how fast the place moves. */
  #keepPlace(): void {
    const now = performance.now()
    if (this.#isMoving) {
      this.#place += ((now - this.#since) / 1000) * this.#rate * (1 + this.#drift)
    }
    this.#since = now
  }

  get currentTime(): number {
    this.#keepPlace()
    return this.#place
  }

  set currentTime(seconds: number) {
    this.#keepPlace()
    this.#place = seconds
    this.seeking = true
    setTimeout(() => {
      this.#keepPlace()
      this.seeking = false
      this.dispatchEvent(new Event('seeked'))
    }, this.#seekMs)
  }

  get playbackRate(): number {
    return this.#rate
  }

  set playbackRate(rate: number) {
    this.#keepPlace()
    this.#rate = rate
  }

  async play(): Promise<void> {
    this.#keepPlace()
    this.paused = false
  }

  pause(): void {
    this.#keepPlace()
    this.paused = true
    this.pauses += 1
    setTimeout(() => this.dispatchEvent(new Event('pause')))
  }

  async stall(ms: number): Promise<void> {
    this.#keepPlace()
    this.readyState = 2
    this.stalledAt = performance.now() + ms
    this.dispatchEvent(new Event('waiting'))
    await wait(ms)
    this.#keepPlace()
    this.readyState = 4
    this.dispatchEvent(new Event('canplay'))
  }
}

type Page = {
  video: SimulatedVideo
  room: Room
  core: Player['core']
  hear: (news: RoomPlayback) => Promise<void>
  stop: () => void
}

/** A server that keeps what plays, and pages that reach it through 0 to 300 ms with jitter. */
function openPages() {
  const random = createRandom(7, 'watch room').fraction
  let playback: RoomPlayback = {
    ...{ itemId: ITEM_ID, position: 0, rate: 1, isPaused: true, at: serverNow(), version: 1 },
  }
  const pages: Page[] = []
  for (let index = 0; index < PAGES; index += 1) {
    const reach = index / (PAGES - 1)
    const oneWay = () => wait(reach * (100 + 50 * random()))
    const calls = {
      clock: {
        async query() {
          await oneWay()
          const serverTime = serverNow()
          await oneWay()
          return serverTime
        },
      },
      control: {
        async mutate(wish: RoomPlayback) {
          await oneWay()
          playback = { ...wish, itemId: ITEM_ID, version: playback.version + 1 }
          for (const page of pages) void page.hear(playback)
          const answer = playback
          await oneWay()
          return answer
        },
      },
    }
    const room = createRoom({ token: 'room', calls: calls as never })
    room.store.set({ role: index === 0 ? 'host' : 'watches' })
    const video = new SimulatedVideo({
      drift: DRIFT * (2 * random() - 1),
      seekMs: 40 + 300 * random(),
    })
    const core = {
      element: video,
      options: {},
      store: { get: () => ({ duration: DURATION_SECONDS }), set: () => {} },
      flash: () => {},
    } as unknown as Player['core']
    const stopClock = room.clock.start()
    const stopFollowing = followRoom({ core } as Player, room, ITEM_ID)
    pages.push({
      ...{ video, room, core },
      hear: async (news) => {
        await oneWay()
        room.take(news)
      },
      stop: () => {
        stopFollowing()
        stopClock()
      },
    })
    void pages[index]?.hear(playback)
  }
  return { pages, random, current: () => playback }
}

test('eight pages stay together for half an hour, and nobody pauses the others', async () => {
  const { pages, random, current } = openPages()
  const [host] = pages
  await vi.advanceTimersByTimeAsync(5000)
  host?.core.steer?.play()
  const differences: number[] = []
  let stalls = 0
  let commands = 1
  await vi.advanceTimersByTimeAsync(CATCHES_UP_MS)
  const samples = (MINUTES * 60_000) / SAMPLE_MS
  for (let sample = 1; sample <= samples; sample += 1) {
    await vi.advanceTimersByTimeAsync(SAMPLE_MS)
    const second = (sample * SAMPLE_MS) / 1000
    if (second % 300 === 0) {
      host?.core.steer?.seek(600 + 3000 * random())
      commands += 1
      await vi.advanceTimersByTimeAsync(CATCHES_UP_MS)
    }
    for (const { video } of pages) {
      // About once in two minutes, each.
      if (random() > SAMPLE_MS / 120_000) continue
      stalls += 1
      void video.stall(200 + 2800 * random())
    }
    const now = performance.now()
    const places = pages
      .filter(({ video }) => now > video.stalledAt + CATCHES_UP_MS)
      .map(({ video }) => video.currentTime)
    differences.push(Math.max(...places) - Math.min(...places))
  }
  const behind = pages.map(({ video }) => positionAt(current(), serverNow()) - video.currentTime)
  for (const page of pages) page.stop()
  const sorted = differences.sort((one, other) => one - other)
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN
  console.info({ p95, most: sorted.at(-1), stalls, behind: behind.map((b) => b.toFixed(3)).join() })
  expect(stalls).toBeGreaterThan(PAGES * MINUTES * 0.3)
  expect(p95).toBeLessThan(0.1)
  expect(current().version - 1).toBe(commands)
  expect(pages.map(({ video }) => video.pauses)).toEqual(pages.map(() => 0))
})
