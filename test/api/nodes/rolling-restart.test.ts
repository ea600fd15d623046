import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { startBalancer } from '#test/support/balancer.ts'
import { hasCaddy, startCaddyOfNodes, trustOnly } from '#test/support/deployed-proxy.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { longTest } from '#test/support/long-form.ts'
import { addRows } from '#test/support/rows.ts'
import type { ServerProcess } from '#test/support/server-process.ts'
import { openNodes, type SiteNodes } from '#test/support/site-nodes.ts'
import { until } from '#test/support/until.ts'

type Ports = [number, number]
type Proxy = {
  origin: string
  /** Waits until it sends requests to both nodes. */
  untilBoth: () => Promise<void>
  stop: () => Promise<void>
}

/** Each with the seconds in which it surely looks whether a node is ready. */
const PROXIES = [
  { name: 'a proxy that looks twice a second', drain: '2', isThere: true, start: startOwn },
  { name: 'Caddy as deploy/ sets it up', drain: '3', isThere: hasCaddy, start: startDeployed },
]
const READS = ['/api/videos', '/api/videos/1', '/trpc/auth.currentUser', '/']
/** So many do so at once. */
const CLIENTS = 3

async function startOwn(ports: Ports): Promise<Proxy> {
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  const proxy = await startBalancer(origins, { looks: true })
  const untilBoth = () => until(() => proxy.listReady().length === 2)
  return { ...proxy, untilBoth }
}

async function startDeployed(ports: Ports): Promise<Proxy> {
  const caddy = await startCaddyOfNodes(ports)
  const distrust = trustOnly(caddy.ca)
  return {
    origin: `https://localhost:${caddy.ports.https}`,
    // It looks every second, and says nothing of it.
    untilBoth: () => pause(3000),
    async stop() {
      distrust()
      await caddy.stop()
    },
  }
}

async function insertVideo(nodes: SiteNodes): Promise<void> {
  const db = openPostgresDatabase(nodes.url)
  const video = { userId: 1, mediaKey: 'a'.repeat(32), title: 'A clip', foldedTitle: 'a clip' }
  await addRows(db, 'videos', { ...video, processingState: 'ready', publishedAt: timestamp() })
  await db.destroy()
}

async function listComments(nodes: SiteNodes): Promise<string[]> {
  const db = openPostgresDatabase(nodes.url)
  const rows = await db.selectFrom('comments').select('content').execute()
  await db.destroy()
  return rows.map(({ content }) => content)
}

longTest.for(PROXIES)(
  'behind $name nodes are stopped and started one after the other, and whoever asks meanwhile notices nothing',
  async ({ isThere, start: startProxy, drain }, { skip, onTestFinished }) => {
    skip(!isThere)
    const nodes = await openNodes()
    onTestFinished(() => nodes.close())
    const ports: Ports = [await findFreePort(), await findFreePort()]
    const env = { DRAIN_SECONDS: drain, TRUSTED_PROXY: '127.0.0.1' }
    const start = (port: number) =>
      nodes.start({ port, dataFolder: `${nodes.folder}/${port}`, env })
    const running = new Map<number, ServerProcess>()
    for (const port of ports) running.set(port, await start(port))
    const proxy = await startProxy(ports)
    onTestFinished(() => proxy.stop())
    await proxy.untilBoth()

    const send = (path: string, body?: object, headers = {}) =>
      fetch(proxy.origin + path, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', origin: proxy.origin, ...headers },
      })
    const member = { username: 'ann', email: 'ann@example.org', password: 'correct horse' }
    const registered = await send('/trpc/auth.register', { ...member, displayName: 'Ann' })
    expect(registered.status).toBe(200)
    const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await insertVideo(nodes)

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
    const untilMore = async () => {
      const before = acknowledged.length
      await until(() => acknowledged.length >= before + 10 || failed.length > 0)
    }

    await untilMore()
    for (const [port, node] of running) {
      expect(await node.stop()).toBe(0)
      await untilMore()
      await start(port)
      await proxy.untilBoth()
      await untilMore()
    }
    isOver = true
    await Promise.all(clients)
    expect(failed).toEqual([])
    expect((await listComments(nodes)).sort()).toEqual(acknowledged.sort())
  },
)
