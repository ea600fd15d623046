/**
 * Visitors in a process of their own: requests fall due at a fixed rate, whether or not earlier ones were
 * answered, and each counts from when it was due. What it found goes to the parent process.
 */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom, type Random } from '#tools/seed/random.ts'

export type TrafficOrder = {
  origin: string
  seed: number
  seconds: number
  perSecond: number
  visitors: number
  /** Cookies of those visitors who are signed in. */
  members: string[]
  videoIds: number[]
  /** Addresses of files that play. */
  files: { url: string; bytes: number }[]
}

export type TrafficReport = {
  /** Milliseconds from when a request was due to its last byte, by kind, ascending. */
  times: Record<string, number[]>
  /** Milliseconds by which requests were sent late, because this process was busy; ascending. */
  late: number[]
  failures: string[]
}

type Visitor = { agent: Agent; cookie: string | undefined }
type Asked = {
  path: string
  method?: 'POST'
  body?: object
  headers?: Record<string, string>
  status?: number
}

/** Nobody waits for longer; far above every limit that is tried. */
const TIMEOUT_MS = 60_000
const RANGE_BYTES = 128 * 1024
const FAILURES_KEPT = 20
const WORDS = ['clutch', 'ace', 'rust', 'raid', 'smoke', 'last', 'tarkov', 'win', 'base', 'one']

process.once('message', (order: TrafficOrder) => {
  drive(order).then((report) => process.send?.(report, () => process.exit(0)))
})

async function drive(order: TrafficOrder): Promise<TrafficReport> {
  const report: TrafficReport = { times: {}, late: [], failures: [] }
  const kinds = listKinds(order)
  const random = createRandom(order.seed, 'traffic')
  const visitors = Array.from({ length: order.visitors }, (_, index): Visitor => {
    // A browser has some connections; half of what a page asks for is asked for at once.
    return { agent: new Agent({ keepAlive: true, maxSockets: 6 }), cookie: order.members[index] }
  })
  const total = order.seconds * order.perSecond
  const began = performance.now()
  const running = new Set<Promise<void>>()
  for (let index = 0; index < total; index++) {
    const due = began + (index * 1000) / order.perSecond
    const wait = due - performance.now()
    if (wait > 1) await pause(wait)
    const visitor = random.pick(visitors)
    const [kind, ask] = choose(kinds, random.fraction())
    report.late.push(Math.max(0, performance.now() - due))
    const asking = send(order.origin, { visitor, asked: ask(visitor, random) })
      .then(() => {
        report.times[kind] ??= []
        report.times[kind].push(performance.now() - due)
      })
      .catch((error: Error) => void report.failures.push(`${kind}: ${error.message}`))
    running.add(asking)
    void asking.then(() => running.delete(asking))
  }
  await Promise.all(running)
  for (const visitor of visitors) visitor.agent.destroy()
  for (const times of [...Object.values(report.times), report.late]) times.sort((a, b) => a - b)
  const [some, count] = [report.failures.slice(0, FAILURES_KEPT), report.failures.length]
  report.failures = count > some.length ? [...some, `and ${count - some.length} more`] : some
  return report
}

type Kind = [name: string, share: number, ask: (visitor: Visitor, random: Random) => Asked]

/** What visitors ask for, and how much of all that is. */
function listKinds({ videoIds, files }: TrafficOrder): Kind[] {
  const anyVideo = (random: Random) => random.pick(videoIds)
  return [
    ['home list', 0.25, () => ({ path: query('auth.currentUser,video.list', {}, { limit: 48 }) })],
    ['home page', 0.05, () => ({ path: '/' })],
    ['list over REST', 0.05, () => ({ path: '/api/videos' })],
    ['watch page', 0.12, (_, random) => ({ path: `/video/${anyVideo(random)}` })],
    [
      'watch question',
      0.15,
      (_, random) => {
        const id = anyVideo(random)
        return { path: query('video.get,video.playback,video.recommended', { id }, { id }, { id }) }
      },
    ],
    ['comments', 0.1, (_, random) => ({ path: query('comment.list', { id: anyVideo(random) }) })],
    ['search', 0.06, (_, random) => ({ path: query('search.videos', { q: random.pick(WORDS) }) })],
    ['channel', 0.04, (_, random) => ({ path: `/api/users/${random.integer(1, 20)}/videos` })],
    [
      'media range',
      0.1,
      (_, random) => {
        const file = random.pick(files)
        const start = random.integer(0, Math.max(0, file.bytes - RANGE_BYTES))
        const range = `bytes=${start}-${Math.min(file.bytes, start + RANGE_BYTES) - 1}`
        return { path: file.url, headers: { range }, status: 206 }
      },
    ],
    [
      'progress',
      0.05,
      (_, random) => ({
        path: '/trpc/history.report',
        method: 'POST',
        body: { videoId: anyVideo(random), positionSeconds: 5, watchedSeconds: 5 },
      }),
    ],
    [
      'like',
      0.03,
      (visitor, random) => {
        const videoId = anyVideo(random)
        if (!visitor.cookie) return { path: `/api/videos/${videoId}` }
        const isLike = random.chance(0.8)
        return { path: '/api/likes', method: 'POST', body: { videoId, isLike } }
      },
    ],
  ]
}

function query(procedures: string, ...inputs: object[]): string {
  return `/trpc/${procedures}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`
}

function choose(kinds: Kind[], chance: number): [string, Kind[2]] {
  let left = chance
  for (const [name, share, ask] of kinds) {
    left -= share
    if (left < 0) return [name, ask]
  }
  const [name, , ask] = kinds[0] as Kind
  return [name, ask]
}

/** @throws when the answer is not the one that was asked for, or has not come to its end within a minute */
function send(origin: string, sent: { visitor: Visitor; asked: Asked }): Promise<void> {
  const { visitor, asked } = sent
  const { path, method = 'GET', body, status = 200 } = asked
  const text = body && JSON.stringify(body)
  const headers = {
    ...asked.headers,
    ...(visitor.cookie && { cookie: visitor.cookie }),
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  return new Promise((resolve, reject) => {
    const sending = request(origin + path, { agent: visitor.agent, method, headers }, (answer) => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => {
        if (answer.statusCode === status) resolve()
        else reject(new Error(`${path.slice(0, 80)} answered ${answer.statusCode}`))
      })
    })
    const patience = setTimeout(() => {
      sending.destroy(new Error(`${path.slice(0, 80)} was not answered within a minute`))
    }, TIMEOUT_MS)
    sending.on('close', () => clearTimeout(patience))
    sending.on('error', reject)
    sending.end(text)
  })
}
