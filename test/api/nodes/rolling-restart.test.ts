import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { startBalancingProxy } from '#test/support/balancing-proxy.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { openNodes } from '#test/support/site-nodes.ts'
import { until } from '#test/support/until.ts'

/** The proxy looks every 0.1 s. */
const DRAIN = { DRAIN_SECONDS: '1' }
const READS = ['/api/videos', '/api/videos/1', '/trpc/auth.currentUser', '/']
/** So many do so at once. */
const CLIENTS = 3

let nodes: Awaited<ReturnType<typeof openNodes>>
beforeAll(async () => {
  nodes = await openNodes()
})
afterAll(() => nodes.close())

async function insertVideo(): Promise<void> {
  const db = openPostgresDatabase(nodes.url)
  const video = { userId: 1, mediaKey: 'a'.repeat(32), title: 'A clip', foldedTitle: 'a clip' }
  await db
    .insertInto('videos')
    .values({ ...video, processingState: 'ready', publishedAt: timestamp() })
    .execute()
  await db.destroy()
}

async function listComments(): Promise<string[]> {
  const db = openPostgresDatabase(nodes.url)
  const rows = await db.selectFrom('comments').select('content').execute()
  await db.destroy()
  return rows.map(({ content }) => content)
}

test('nodes are stopped and started one after the other, and whoever asks meanwhile notices nothing', async () => {
  const places = await Promise.all(
    ['one', 'two'].map(async (name) => ({
      port: await findFreePort(),
      dataFolder: `${nodes.folder}/${name}`,
    })),
  )
  const start = ({ port, dataFolder }: { port: number; dataFolder: string }) =>
    nodes.start({ port, dataFolder, env: DRAIN })
  const running = [
    await start(places[0] as (typeof places)[0]),
    await start(places[1] as (typeof places)[0]),
  ]
  const proxy = await startBalancingProxy(running.map(({ origin }) => origin))
  await until(() => proxy.listReady().length === 2)

  const send = (path: string, body?: object, headers = {}) =>
    fetch(proxy.origin + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', origin: proxy.origin, ...headers },
    })
  const member = { username: 'ann', email: 'ann@example.org', password: 'correct horse' }
  const registered = await send('/trpc/auth.register', { ...member, displayName: 'Ann' })
  expect(registered.status).toBe(200)
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  await insertVideo()

  let isOver = false
  const failed: string[] = []
  const acknowledged: string[] = []
  const attempt = async (what: string, asked: Promise<Response>) => {
    const outcome = await asked.then(
      async (answer) => `${answer.status} ${(await answer.text()).slice(0, 200)}`,
      (error) => `${error.cause ?? error}`,
    )
    if (!outcome.startsWith('200 ')) failed.push(`${what}: ${outcome}`)
    else if (what.startsWith('comment')) acknowledged.push(what)
  }
  const client = async (number: number) => {
    for (let round = 0; !isOver; round++) {
      const path = READS[round % READS.length] ?? '/'
      await attempt(path, send(path, undefined, { cookie }))
      const content = `comment ${number}-${round}`
      await attempt(content, send('/trpc/comment.create', { videoId: 1, content }, { cookie }))
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))

  for (const [at, place] of places.entries()) {
    const node = running[at] as (typeof running)[0]
    const other = running[1 - at] as (typeof running)[0]
    const before = proxy.countAnswered(other.origin)
    expect(await node.stop()).toBe(0)
    expect(proxy.listReady()).toEqual([other.origin])
    await until(() => proxy.countAnswered(other.origin) > before + 20)
    running[at] = await start(place)
    const since = proxy.countAnswered(node.origin)
    await until(() => proxy.countAnswered(node.origin) > since + 20)
  }
  isOver = true
  await Promise.all(clients)
  await proxy.stop()
  expect(failed).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(50)
  expect((await listComments()).sort()).toEqual(acknowledged.sort())
})
