import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { isBusy } from '#server/platform/db/errors.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { longTest } from '#test/support/long-form.ts'
import { type PostgresServer, startPostgres } from '#test/support/postgres-server.ts'
import { runCommand } from '#test/support/run-command.ts'
import {
  answerOf,
  ask,
  askAt,
  type NodeMember,
  register,
  type SeveralNodes,
  startNodes,
} from '#test/support/several-nodes.ts'
import { addVideos } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

/** Longer than anything waits for an answer. */
const CUT_MS = 30_000

let server: PostgresServer
let line: Awaited<ReturnType<typeof openBreakableLine>>
/** The address of the database by way of the line. */
let through: string
let site: SeveralNodes
let a: string
let b: string
let ada: NodeMember
let ann: NodeMember
let bob: NodeMember
let video: number
/** Comments that were acknowledged. */
let written = 0
beforeAll(async () => {
  server = await startPostgres({ synchronous_commit: 'on' })
  line = await openBreakableLine(Number(new URL(server.url).port))
  const { port } = new URL(line.origin)
  through = Object.assign(new URL(server.url), { port }).href
  site = await startNodes({ urls: [server.url, through] })
  ;[a, b] = site.nodes.map(({ origin }) => origin) as [string, string]
  ada = await register(a, 'ada')
  ann = await register(a, 'ann')
  bob = await register(a, 'bob')
  await withDatabase(async (db) => {
    await db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', ada.id).execute()
    await db.updateTable('sessions').set({ confirmedAt: timestamp() }).execute()
  })
  video = await addVideo()
})
afterAll(async () => {
  line?.mend()
  await site?.stop()
  await line?.stop()
  await server.stop()
})

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openPostgresDatabase(server.url)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const addVideo = () =>
  withDatabase(async (db) => {
    const row = { userId: ann.id, title: 'A video', foldedTitle: 'a video' }
    return (await addVideos(db, [row]))[0] as number
  })

type Answer = Awaited<ReturnType<typeof ask>>
const comment = async (origin: string, as: NodeMember, content = 'Nice'): Promise<Answer> => {
  const answer = await ask(origin, {
    as,
    name: 'comment.create',
    input: { videoId: video, content },
  })
  if (answer.status === 200) written++
  return answer
}
const countComments = () =>
  withDatabase(async (db) => {
    const rows = await db.selectFrom('comments').select('id').where('videoId', '=', video).execute()
    return rows.length
  })
/** What pages, scripts and members ask for: none of it can be answered without the database. */
const askAll = (origin: string): Promise<Answer[]> =>
  Promise.all([
    askAt(origin, { url: '/' }),
    askAt(origin, { url: '/api/videos' }),
    askAt(origin, { url: `/video/${video}` }),
    askAt(origin, { url: '/api/health' }),
    askAt(origin, { url: '/api/ready' }),
    ask(origin, { name: 'video.list', input: {} }),
    ask(origin, { as: ann, name: 'video.get', input: { id: video } }),
    ask(origin, { as: ann, name: 'auth.currentUser' }),
    ask(origin, { name: 'auth.login', input: { username: 'ann', password: 'correct horse' } }),
    comment(origin, ann),
  ])
const works = async (origin: string) => (await askAll(origin)).every(({ status }) => status === 200)

function expectAway({ url, status, headers, text }: Answer): void {
  const retryAfter = Number(headers.get('retry-after'))
  expect({ url, status, text, retryAfter }).toEqual({
    url,
    status: 503,
    text: expect.stringMatching(/[A-Z][^<>{}]+\./),
    retryAfter: expect.toSatisfy((seconds: number) => seconds > 0),
  })
}

test('while the database is away every request is refused with a sentence, and then all goes on', async () => {
  for (const end of [server.end, server.kill]) {
    for (const origin of [a, b]) expect(await works(origin)).toBe(true)
    await end()
    try {
      // It holds its answer for a second.
      const isUnready = async (origin: string) =>
        (await askAt(origin, { url: '/api/ready' })).status === 503
      await until(async () => (await isUnready(a)) && (await isUnready(b)))
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all([a, b].map(askAll))
        for (const answer of answers.flat()) expectAway(answer)
        await pause(300)
      }
    } finally {
      await server.start()
    }
    const began = performance.now()
    await until(async () => (await works(a)) && (await works(b)))
    const ms = Math.round(performance.now() - began)
    console.info(`Both nodes were whole again ${ms} ms after the database was.`)
    expect(await countComments()).toBeGreaterThanOrEqual(written)
  }
  const lines = site.nodes.flatMap(({ output }) => output.join('').split('\n'))
  expect(lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
})

longTest(
  'a node that is cut off from the database shows nothing that was taken away meanwhile',
  async () => {
    for (const cut of [line.breakDown, line.stall]) {
      const [hidden, before] = [await addVideo(), await countComments()]
      written = 0
      const look = () => [
        askAt(b, { url: `/video/${hidden}` }),
        askAt(b, { url: `/api/videos/${hidden}` }),
        ask(b, { name: 'video.get', input: { id: hidden } }),
        comment(b, bob, 'From the cut node'),
      ]
      expect((await Promise.all(look())).map(({ status }) => status)).toEqual([200, 200, 200, 200])
      // What is under way when the line breaks is done or not.
      const underWay = Promise.allSettled(Array.from({ length: 5 }, () => comment(b, bob)))
      cut()
      await answerOf(a, {
        as: ada,
        name: 'moderation.hideVideo',
        input: { id: hidden, reason: 'Not ours' },
      })
      await answerOf(a, {
        as: ada,
        name: 'moderation.ban',
        input: { userId: bob.id, reason: 'Not ours' },
      })
      const looks: Promise<PromiseSettledResult<Answer>[]>[] = []
      const ended = performance.now() + CUT_MS
      while (performance.now() < ended) {
        looks.push(Promise.allSettled(look()))
        await comment(a, ann)
        await pause(300)
      }
      for (const look of (await Promise.all(looks)).flat()) {
        if (look.status === 'rejected') throw look.reason
        expectAway(look.value)
      }
      line.mend()
      const began = performance.now()
      await until(async () => {
        const statuses = (await Promise.all(look())).map(({ status }) => status)
        expect(statuses).not.toContain(200)
        return statuses.join() === '404,404,404,401' && (await works(b))
      })
      const ms = Math.round(performance.now() - began)
      console.info(`The node was whole again ${ms} ms after its line was.`)
      const unknown = (await underWay).filter(
        (one) => one.status === 'rejected' || one.value.status !== 200,
      ).length
      const grown = (await countComments()) - before
      expect(grown).toBeGreaterThanOrEqual(written)
      expect(grown).toBeLessThanOrEqual(written + unknown)
      await answerOf(a, { as: ada, name: 'moderation.unban', input: { userId: bob.id } })
      const names = { username: 'bob', password: 'correct horse' }
      const again = await ask(a, { name: 'auth.login', input: names })
      bob = { ...bob, cookie: `${again.headers.get('set-cookie')}`.split(';')[0] ?? '' }
    }
    const { dataFolder } = site.nodes[0] as SeveralNodes['nodes'][number]
    const env = { ...site.variables, DATABASE_URL: server.url }
    const { out } = await runCommand('doctor', { dataFolder, env })
    // The rows of this test have no files.
    const problems = out
      .split('\n')
      .filter((found) => !/names no video file$|^\d+ problems? in|^$/.test(found))
    expect(problems).toEqual([])
  },
  240_000,
)

longTest(
  'what a node had locked when it was cut off is refused within 2 s, and free some seconds later',
  async () => {
    const cutOff = openPostgresDatabase(through)
    const name = `Locked ${Date.now()}`
    const edit = async () => {
      const { status } = await ask(a, { as: ada, name: 'site.edit', input: { name: 'Free' } })
      return status
    }
    const locking = cutOff.transaction().execute(async (transaction) => {
      await transaction.updateTable('siteSettings').set({ name }).execute()
      line.stall()
      expect(await edit()).toBe(503)
      await until(async () => (await edit()) === 200, { timeoutMs: 30_000 })
      line.mend()
    })
    // Its transaction is over, and it hears so when its line is back.
    await expect(locking).rejects.toSatisfy(isBusy)
    await cutOff.destroy()
    expect(await answerOf(a, { name: 'site.settings' })).toMatchObject({ name: 'Free' })
  },
)
