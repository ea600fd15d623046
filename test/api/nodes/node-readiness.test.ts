import { expect, onTestFinished, test } from 'vitest'
import { readNodes } from '#server/desk/nodes/node.service.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { startServer } from '#test/support/server-process.ts'
import { openNodes } from '#test/support/site-nodes.ts'
import { until } from '#test/support/until.ts'

const STOPPING = 'The site is stopping. Please try again in a moment.'

test('a node that drains is not ready, but serves until its time is over or it is told again', async () => {
  const server = await startServer({ env: { DRAIN_SECONDS: '600', LOG_LEVEL: 'info' } })
  onTestFinished(() => server.remove())
  const ask = async (path: string) => {
    const answer = await fetch(server.origin + path)
    const { status, headers } = answer
    return { status, text: await answer.text(), connection: headers.get('connection') }
  }
  expect(await ask('/api/videos')).toMatchObject({ status: 200, connection: 'keep-alive' })
  process.kill(server.pid, 'SIGTERM')
  await until(async () => (await ask('/api/ready')).status === 503)
  expect(await ask('/api/ready')).toEqual({ status: 503, text: STOPPING, connection: 'close' })
  for (const path of [
    '/api/videos',
    '/api/health',
    '/trpc/site.settings',
    '/',
    '/api/openapi.json',
  ]) {
    expect([path, await ask(path)]).toMatchObject([path, { status: 200, connection: 'close' }])
  }
  expect(await server.stop()).toBe(0)
})

test('a node that does not hear the others is not ready until it does again', async () => {
  const nodes = await openNodes()
  onTestFinished(() => nodes.close())
  const url = new URL(nodes.url)
  const line = await openBreakableLine(Number(url.port))
  onTestFinished(() => line.stop())
  const { port } = new URL(line.origin)
  const env = { DATABASE_DIRECT_URL: Object.assign(new URL(url), { port }).href }
  const node = await nodes.start({ env })
  const statusOf = async (path: string) => (await fetch(node.origin + path)).status
  const db = openPostgresDatabase(nodes.url)
  onTestFinished(() => db.destroy())
  const readNode = async () => (await readNodes(db)).nodes[0]
  await until(async () => (await statusOf('/api/ready')) === 200)
  line.breakDown()
  await until(async () => (await statusOf('/api/ready')) === 503)
  await until(() => node.output.join('').includes('The message bus between the nodes of this site'))
  expect(await statusOf('/api/health')).toBe(200)
  // Up to 5 s later.
  if (isLongForm) await until(async () => (await readNode())?.state === 'unready')
  line.mend()
  await until(async () => (await statusOf('/api/ready')) === 200)
  if (isLongForm) await until(async () => (await readNode())?.state === 'serving')
})
