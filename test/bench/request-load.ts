import { encodeCursor } from '#server/platform/db/paging.ts'
import {
  type BenchmarkInput,
  type Measurement,
  SHORT_ROUNDS,
  shortRoundSeconds,
  takeTurns,
} from './benchmark.ts'
import { atLeastTimes, atMost } from './goal.ts'
import type { RowName } from './goal-table.ts'
import { signIn } from './member.ts'
import { describeShare, requireShare, shareFromMemory } from './memory-share.ts'
import { askQuestions, repeatRequest } from './request-client.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startFloor, startSite } from './server-child.ts'

const CONNECTIONS = 10
/** Later than any row of a seeded site. */
const AFTER_ALL = '2999-01-01T00:00:00.000Z'
/** Until then the code runs unoptimised. */
const WARM_UP_SECONDS = 1
/** The first that a server is asked: meanwhile it reads what it has not needed before. */
const FIRST_SECONDS = 3
/** Of all requests that vary, so that none repeats an earlier round's. */
let turns = 0
const FLOOR_NAME = "bare Fastify 'hello'"

/** `cpuMicros` is the server's processor time for one request: steadier than the rate on a busy machine. */
type Load = { perSecond: number; p99Ms: number; cpuMicros: number | undefined }

/** `turn` goes up with each request and never comes again. */
export type Vary = (turn: number) => { path: string; cookie?: string }

/**
 * What is asked for: the same with each request, which the server answers from memory to visitors, or with `vary` something else
 * each time.
 */
export type Asked = {
  what: string
  path: string
  /**
   * The path of each request. The server caches answers by the path and by the query parameters that it knows, and ignores all
   * others: only a different path, cursor, limit or text is a miss.
   */
  vary?: Vary
  /** What the row says of its answers, which is then tried: that they are in memory, or that they are not. */
  isHit?: boolean
  /** By a member, whose cookie is sent along. */
  signedIn?: true
  cookie?: string
  /** The `Accept-Encoding` sent along; without it an answer comes as it is. */
  accepts?: string
  /** The row of the goal table that it belongs to. */
  row?: RowName
  /** Required rate as a multiple of the floor. */
  rateGoal?: number
  /** Of the 99th percentile of the answers' times, in milliseconds. */
  p99Goal?: number
}

/** The address of a procedure as the pages call it. */
export function trpcPath(procedure: string, input: object): string {
  return `/trpc/${procedure}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`
}

/** The same path asked again and again, which the goals are for, and others that were not asked before, so that none is cached. */
export function askBothWays(
  what: string,
  { path, vary }: { path: string; vary: Vary },
  goals: Pick<Asked, 'row' | 'rateGoal' | 'p99Goal' | 'signedIn'> = {},
): Asked[] {
  const { row, signedIn } = goals
  const place = { ...(row && { row }), ...(signedIn && { signedIn }) }
  return [
    { what: `${what}, cache hit`, path, isHit: true, ...goals },
    { what: `${what}, cache miss`, path, vary, isHit: false, ...place },
  ]
}

/** A cursor after which the first page comes, another one each time: no row is as late. */
export function cursorBeforeAll(turn: number): string {
  return encodeCursor({ time: AFTER_ALL, id: turn + 1 })
}

/** Measures paths of the seeded site, or of another data folder, beside a bare Fastify, on ten connections. */
export async function compareRequests(
  input: BenchmarkInput & {
    dataFolder?: string
    /** Starts the site that is asked; by default on the data folder. */
    start?: () => Promise<ServerChild>
  },
  given: Asked[],
): Promise<Measurement[]> {
  const dataFolder = input.dataFolder ?? (await seededSite(input))
  const start = input.start ?? (() => startSite(dataFolder))
  const [site, floor] = [await start(), await startFloor('hello-server')]
  try {
    const isForMember = given.some(({ signedIn }) => signedIn)
    const cookie = isForMember ? await signIn(site.origin, dataFolder) : ''
    const asked = given.map((one) => (one.signedIn ? { ...one, cookie } : one))
    const sizes = new Map<Asked, number>()
    for (const [index, one] of asked.entries()) {
      const bytes = await countBytes(site.origin, one)
      if (one.rateGoal !== undefined) sizes.set(one, bytes)
      await putLoad(site, { ...one, seconds: index === 0 ? FIRST_SECONDS : WARM_UP_SECONDS })
    }
    const hellos = [...new Set(asked.map(({ accepts }) => accepts))].map(askHello)
    for (const hello of hellos) await putLoad(floor, { ...hello, seconds: WARM_UP_SECONDS })
    const seconds = shortRoundSeconds(input)
    const measures = Object.fromEntries([
      ...hellos.map((one) => [one.what, () => putLoad(floor, { ...one, seconds })]),
      ...asked.map((one) => [one.what, () => putLoad(site, { ...one, seconds })]),
      ...[...new Set(sizes.values())].map((bytes) => {
        const bare = { ...sameBytes(bytes), seconds }
        return [bare.what, () => putLoad(floor, bare)]
      }),
    ]) as Record<string, () => Promise<Load>>
    const results = await takeTurns(measures, (load) => load.perSecond, SHORT_ROUNDS)
    const shares = new Map<Asked, number | undefined>()
    for (const one of asked) {
      const share = await shareFromMemory(site, () => putLoad(site, { ...one, seconds }))
      if (one.isHit !== undefined) requireShare(share, { what: one.what, isHit: one.isHit })
      shares.set(one, share)
    }
    return asked.flatMap((one) => {
      const least = results[askHello(one.accepts).what] as Load
      const bytes = sizes.get(one)
      const bare = bytes === undefined ? undefined : results[sameBytes(bytes).what]
      const load = results[one.what] as Load
      return toMeasurements(one, { load, least, bare, share: shares.get(one) })
    })
  } finally {
    await Promise.all([site.stop(), floor.stop()])
  }
}

function toMeasurements(
  { what, row, rateGoal, p99Goal }: Asked,
  of: { load: Load; least: Load; bare: Load | undefined; share: number | undefined },
): Measurement[] {
  const { load, least, bare, share } = of

  const place = { what, ...(row && { row }) }
  const rate: Measurement = {
    ...{ ...place, unit: 'req/s', ours: load.perSecond },
    ...(bare
      ? { floorName: 'bare Fastify, as many bytes', floor: bare.perSecond }
      : { floorName: FLOOR_NAME, floor: least.perSecond }),
    ...(rateGoal !== undefined && { goal: atLeastTimes(rateGoal) }),
    remark: `${describe(load)}, ${describeShare(share)} (${FLOOR_NAME} ${describe(least)})`,
  }
  if (p99Goal === undefined) return [rate]
  const p99: Measurement = {
    ...{ ...place, what: `${what}, p99`, unit: 'ms', ours: load.p99Ms },
    ...{ floorName: FLOOR_NAME, floor: least.p99Ms, goal: atMost(p99Goal) },
  }
  return [rate, p99]
}

function describe({ p99Ms, cpuMicros }: Load): string {
  const cpu = cpuMicros === undefined ? '' : `, ${Math.round(cpuMicros)} µs of CPU`
  return `p99 ${Number(p99Ms.toFixed(1))} ms${cpu}`
}

/** The floor, asked with the same `Accept-Encoding` as our answers. */
function askHello(accepts: string | undefined): Asked {
  const what = `${FLOOR_NAME} ${accepts ?? ''}`
  return { what, path: '/', ...(accepts && { accepts }) }
}

/** A bare Fastify that sends as many bytes as an answer has, which is more than a 'hello'. */
function sameBytes(bytes: number) {
  return { what: `bare Fastify, ${bytes} bytes`, path: `/bytes/${bytes}` }
}

function headersOf({ cookie, accepts }: Asked): Record<string, string> {
  return { ...(cookie && { cookie }), ...(accepts && { 'accept-encoding': accepts }) }
}

/** How long the body of an answer is as it is sent. @throws when it is not answered well */
async function countBytes(origin: string, asked: Asked): Promise<number> {
  const headers = { 'accept-encoding': 'identity', ...headersOf(asked) }
  const answer = await fetch(origin + asked.path, { headers })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${asked.path} is answered ${answer.status}.`)
  return Number(answer.headers.get('content-length'))
}

type Asking = Asked & { seconds: number; connections?: number }

/** Asks on ten connections for so many seconds. @throws when anything but an answer comes back */
export async function putLoad(server: ServerChild, asked: Asking): Promise<Load> {
  const before = await server.cpuSeconds()
  const { count, perSecond, p99Ms } = asked.vary
    ? await askOthers(server, { ...asked, vary: asked.vary })
    : await askTheSame(server, asked)
  const after = await server.cpuSeconds()
  const cpuMicros =
    before === undefined || after === undefined || count === 0
      ? undefined
      : ((after - before) * 1e6) / count
  // Without an answer, the wait lasted the whole time.
  return { perSecond, p99Ms: count === 0 ? asked.seconds * 1000 : p99Ms, cpuMicros }
}

function askTheSame({ origin }: ServerChild, asked: Asking) {
  const { path, seconds, connections = CONNECTIONS } = asked
  const headers = headersOf(asked)
  return repeatRequest({ origin, path, headers, connections, seconds })
}

/** Something else with each request. */
function askOthers({ origin }: ServerChild, asked: Asking & { vary: Vary }) {
  const { vary, seconds, connections = CONNECTIONS } = asked
  const headers = headersOf(asked)
  const next = () => {
    const { cookie, path } = vary(turns++)
    return { path, headers: cookie ? { ...headers, cookie } : headers }
  }
  return askQuestions({ origin, next, connections, seconds })
}
