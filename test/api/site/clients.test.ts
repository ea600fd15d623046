import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest } from '#test/support/long-form.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { openTestSite } from '#test/support/test-site.ts'
import { floodWithConnections, tryLimits } from '#test/torture/clients/flood.ts'
import { countOpenFiles } from '#test/torture/clients/open-files.ts'
import { quickScenes, type Target } from '#test/torture/clients/scenes.ts'
import { startSteadyClient } from '#test/torture/clients/steady-client.ts'
import { makeTarget } from '#test/torture/clients/target.ts'

// The long form, with clients that drip: npm run torture -- --only clients

// Only Linux has many addresses on loopback, and lists what a process has open.
describe.runIf(process.platform === 'linux')('clients that abuse the site', () => {
  let server: ServerProcess
  let target: Target
  beforeAll(async () => {
    server = await startServer({ env: { RATE_LIMIT_SCALE: '1' } })
    target = await makeTarget(server, 4 * 1024 * 1024)
  }, 120_000)
  afterAll(() => server.remove())

  longTest(
    'keep nobody else from using it, and leave nothing open',
    async () => {
      const before = await countOpenFiles(server.pid)
      const paths = ['/api/videos', '/api/health', target.largeFile]
      const steady = startSteadyClient({ port: server.port, paths })
      for (const { name, run } of quickScenes) expect([name, await run(target)]).toEqual([name, []])
      const { asked, failed } = await steady.stop()
      expect(failed).toEqual([])
      expect(asked).toBeGreaterThan(0)
      expect(server.output.join('')).not.toMatch(/"level":[56]0/)
      const open = async () => (await countOpenFiles(server.pid)).sockets
      await expect.poll(open, { timeout: 60_000 }).toBeLessThanOrEqual(before.sockets)
    },
    300_000,
  )

  test('are limited by their address, and not by what they say it is', async () => {
    expect(await tryLimits(server.port, 'direct')).toEqual([])
  }, 120_000)
})

describe.runIf(process.platform === 'linux')('behind a trusted proxy', () => {
  longTest(
    'clients are limited by the address that it says, and others by their own',
    async () => {
      const env = { RATE_LIMIT_SCALE: '1', TRUSTED_PROXY: '127.0.0.3' }
      const server = await startServer({ env })
      try {
        expect(await tryLimits(server.port, 'proxied')).toEqual([])
      } finally {
        await server.remove()
      }
    },
    120_000,
  )
})

test.runIf(process.platform === 'linux')(
  'an address has so many connections at once, and others have theirs',
  async () => {
    const server = await startServer({ env: { RATE_LIMIT_SCALE: '0.1' } })
    try {
      expect(await floodWithConnections(server.port, { count: 80, allowed: 50 })).toEqual([])
      expect((await fetch(`${server.origin}/api/health`)).status).toBe(200)
      // Those that were let go count no longer.
      expect(await floodWithConnections(server.port, { count: 51, allowed: 50 })).toEqual([])
    } finally {
      await server.remove()
    }
  },
)

test('who takes nothing of an answer is given up, and who waits for one is not', async () => {
  const site = await openTestSite({}, { stallMs: 300 })
  const ann = await site.addMember('ann')
  site.app.get('/api/large', (_, reply) => reply.send(Buffer.alloc(64 * 1024 * 1024)))
  const port = Number(new URL(await site.app.listen()).port)
  const head = `Host: a\r\nCookie: ${ann.cookie}\r\n`
  const taking = connect(port, '127.0.0.1')
  const waiting = connect(port, '127.0.0.1')
  let heard = ''
  waiting.on('data', (data) => {
    heard += data
  })
  waiting.on('error', () => {})
  waiting.write(`GET /trpc/live.onChange HTTP/1.1\r\n${head}Accept: text/event-stream\r\n\r\n`)
  await expect.poll(() => heard).toContain('changed')
  taking.pause().write(`GET /api/large HTTP/1.1\r\n${head}\r\n`)
  const count = () =>
    new Promise<number>((resolve) => site.app.server.getConnections((_, open) => resolve(open)))
  await expect.poll(count, { timeout: 30_000 }).toBe(1)
  heard = ''
  site.deps.live.announce([ann.id])
  await expect.poll(() => heard).toContain('changed')
  taking.destroy()
  waiting.destroy()
  await site.close()
})

test.runIf(process.platform === 'linux')(
  'many who come at once are waited for, however busy the server is',
  async () => {
    const server = await startServer()
    const sockets: Socket[] = []
    try {
      process.kill(server.pid, 'SIGSTOP')
      const connected = Array.from({ length: 800 }, () => {
        const socket = connect(server.port, '127.0.0.1')
        sockets.push(socket)
        return once(socket, 'connect')
      })
      await Promise.all(connected)
    } finally {
      for (const socket of sockets) socket.destroy()
      await server.remove()
    }
  },
)
