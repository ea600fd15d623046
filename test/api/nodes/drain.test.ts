import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '#test/support/server-process.ts'
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
