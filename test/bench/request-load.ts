import autocannon from 'autocannon'
import { type BenchmarkInput, type Measurement, takeTurns } from './benchmark.ts'
import { seededSite } from './seeded-site.ts'
import { startFloor, startSite } from './server-child.ts'

const CONNECTIONS = 10
const FLOOR_NAME = "bare Fastify 'hello'"

type Load = { perSecond: number; p99Ms: number }

/**
 * What is asked for. The server answers visitors from memory what they ask again, so a request is
 * either the same every time or, with `anew`, never the same.
 */
export type Asked = { what: string; path: string; anew: boolean }

/** The address of a procedure as the pages call it. */
export function trpcPath(procedure: string, input: object): string {
  return `/trpc/${procedure}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`
}

/** The same path asked again and again, and asked anew each time. */
export function askBothWays(what: string, path: string): Asked[] {
  return [
    { what: `${what}, asked before`, path, anew: false },
    { what: `${what}, asked anew`, path, anew: true },
  ]
}

/** Measures paths of the seeded site beside a bare Fastify, by visitors on ten connections. */
export async function compareRequests(
  input: BenchmarkInput,
  asked: Asked[],
): Promise<Measurement[]> {
  const dataFolder = await seededSite(input)
  const [site, floor] = [await startSite(dataFolder), await startFloor('hello-server')]
  try {
    for (const { path } of asked) await requireGood(site.origin + path)
    const hello = { what: FLOOR_NAME, path: '/', anew: false }
    const measures = Object.fromEntries([
      [hello.what, () => putLoad(floor.origin, { ...hello, seconds: input.seconds })],
      ...asked.map((one) => [
        one.what,
        () => putLoad(site.origin, { ...one, seconds: input.seconds }),
      ]),
    ]) as Record<string, () => Promise<Load>>
    const results = await takeTurns(measures, (load) => load.perSecond)
    const least = results[FLOOR_NAME] as Load
    return asked.map(({ what }) => {
      const { perSecond, p99Ms } = results[what] as Load
      return {
        ...{ what, unit: 'req/s', ours: perSecond },
        ...{ floorName: FLOOR_NAME, floor: least.perSecond },
        remark: `p99 ${p99Ms} ms (floor ${least.p99Ms} ms)`,
      }
    })
  } finally {
    await Promise.all([site.stop(), floor.stop()])
  }
}

async function requireGood(url: string): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}.`)
}

async function putLoad(origin: string, asked: Asked & { seconds: number }): Promise<Load> {
  const { path, anew, seconds } = asked
  const separator = path.includes('?') ? '&' : '?'
  let count = performance.now()
  const result = await autocannon({
    url: origin + path,
    connections: CONNECTIONS,
    duration: seconds,
    ...(anew && {
      requests: [
        { setupRequest: (request) => ({ ...request, path: `${path}${separator}n=${count++}` }) },
      ],
    }),
  })
  const failures = result.errors + result.timeouts + result.non2xx
  if (failures > 0) throw new Error(`${failures} requests to ${path} failed.`)
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 }
}
