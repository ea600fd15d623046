import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { type Row, TRPC } from '../support/authorization-rows.ts'
import type { Benchmark, BenchmarkInput, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { signIn } from './member.ts'
import { trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const ADMIN_ID = 1
const WARM_UPS = 2
const CALLS = 7
/** Longer holds up others on SQLite, which is asked on the event loop. */
const LIMIT_MS = 5

/** Subscriptions are left out, because their answers do not end. */
const SUBSCRIPTIONS = ['live.onChange', 'live.onVideo']

type Call = { name: string; path: string }

/** One query after the other, as an admin, whose cookie opens all of them. */
export const everyQuery: Benchmark = {
  name: 'every-query',
  title: 'Every query of the app, signed in',
  async run(input: BenchmarkInput) {
    const dataFolder = await seededSite(input)
    const calls = await listCalls(dataFolder)
    const site = await startSite(dataFolder)
    try {
      const cookie = await signIn(site.origin, dataFolder, ADMIN_ID)
      const times: { name: string; path: string; ms: number }[] = []
      for (const { name, path } of calls) {
        const ms = await timeOf(`${site.origin}${path}`, cookie)
        if (ms !== undefined) times.push({ name, path, ms })
      }
      const alone = { row: 'every-query', unit: 'ms', floorName: null, floor: null } as const
      const slow = times.filter(({ ms }) => ms > LIMIT_MS).sort((a, b) => b.ms - a.ms)
      const rows: Measurement[] = []
      for (const { name, path, ms } of slow) {
        const held = await longestWaitDuring(site.origin, { path, cookie })
        const remark = `others wait ${held.toFixed(1)} ms at most`
        rows.push({ ...alone, what: name, ours: ms, goal: atMost(LIMIT_MS), remark })
      }
      const others = times.filter(({ ms }) => ms <= LIMIT_MS).map(({ ms }) => ms)
      const what = `the slowest of ${others.length} others`
      return [
        ...rows,
        { ...alone, what, ours: Math.max(...others), goal: atMost(LIMIT_MS) },
      ] satisfies Measurement[]
    } finally {
      await site.stop()
    }
  },
}

/** Procedures with what the table of rights sends, of rows that the seeded site has. */
async function listCalls(dataFolder: string): Promise<Call[]> {
  const ids = await findIds(dataFolder)
  const calls = new Map<string, string>()
  for (const [name, , sent] of TRPC) {
    if (calls.has(name) || SUBSCRIPTIONS.includes(name)) continue
    const input = fillIn(sent ?? {}, ids)
    if (input) calls.set(name, trpcPath(name, input))
  }
  return [...calls].map(([name, path]) => ({ name, path }))
}

/** The video, its channel and a comment of it with the most comments. */
async function findIds(dataFolder: string): Promise<Record<string, number>> {
  const db = openDatabaseToRead(dataFolder)
  const most = await db
    .selectFrom('comments')
    .innerJoin('videos', 'videos.id', 'comments.videoId')
    .select(['videos.id', 'videos.userId'])
    .select((eb) => eb.fn.max('comments.id').as('commentId'))
    .where('comments.parentId', 'is', null)
    .groupBy(['videos.id', 'videos.userId'])
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.destroy()
  const { id, userId, commentId } = most
  return {
    video: id,
    publicVideo: id,
    owner: userId,
    other: userId,
    me: ADMIN_ID,
    comment: commentId,
  }
}

/** @returns undefined where something of the input is not on the site */
function fillIn(sent: NonNullable<Row[2]>, ids: Record<string, number>): object | undefined {
  const text = JSON.stringify(sent).replaceAll(
    /"\{(\w+)\}"/g,
    (found, name) => `${ids[name] ?? found}`,
  )
  return /"\{\w+\}"/.test(text) ? undefined : (JSON.parse(text) as object)
}

/** @returns the least, as other work on the machine only adds; undefined for mutations, and what is not found or not possible */
async function timeOf(url: string, cookie: string): Promise<number | undefined> {
  const times: number[] = []
  for (let turn = 0; turn < WARM_UPS + CALLS; turn++) {
    const began = performance.now()
    const answer = await fetch(url, { headers: { cookie } })
    await answer.arrayBuffer()
    if (answer.status !== 200) return undefined
    if (turn >= WARM_UPS) times.push(performance.now() - began)
  }
  return Math.min(...times)
}

/**
 * How long others wait while it is answered: what is done in parts takes long and holds up nobody.
 * @returns the least of several calls
 */
async function longestWaitDuring(
  origin: string,
  { path, cookie }: { path: string; cookie: string },
): Promise<number> {
  const waits: number[] = []
  for (let turn = 0; turn < CALLS; turn++) {
    let isAnswered = false
    let longest = 0
    const call = fetch(`${origin}${path}`, { headers: { cookie } })
      .then((answer) => answer.arrayBuffer())
      .finally(() => {
        isAnswered = true
      })
    while (!isAnswered) {
      const began = performance.now()
      await (await fetch(`${origin}/api/health`)).text()
      longest = Math.max(longest, performance.now() - began)
    }
    await call
    waits.push(longest)
  }
  return Math.min(...waits)
}
