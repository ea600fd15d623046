import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const HTTP_CLIENT = 'NativeModule internal/deps/undici/undici'
const TELL = `process.on('SIGUSR2', () => console.log(JSON.stringify({ loaded: process.moduleLoadList })))`

let server: ServerProcess

beforeAll(async () => {
  const script = `--import=data:text/javascript,${encodeURIComponent(TELL)}`
  server = await startServer({ env: { NODE_OPTIONS: `${script} --expose-gc` } })
})
afterAll(() => server.remove())

/** Of Node's own modules. */
async function listLoaded(): Promise<string[]> {
  const told = server.output.length
  process.kill(server.pid, 'SIGUSR2')
  const line = () =>
    server.output
      .slice(told)
      .join('')
      .match(/{"loaded":.*}/)?.[0]
  await expect.poll(line, { timeout: 10_000 }).toBeDefined()
  return (JSON.parse(line() ?? '') as { loaded: string[] }).loaded
}

test.runIf(process.platform !== 'win32')(
  "a server that visitors read from has no HTTP client of Node's in memory",
  async () => {
    const paths = ['/', '/api/videos', '/trpc/video.list?input={}', '/trpc/video.categories']
    for (const path of paths) {
      for (const _ of ['first', 'from memory']) {
        const answer = await fetch(server.origin + path)
        expect([path, answer.status]).toEqual([path, 200])
        await answer.arrayBuffer()
      }
    }
    expect(await listLoaded()).not.toContain(HTTP_CLIENT)
    // It would be seen: changes go by tRPC's adapter, which needs it.
    await fetch(`${server.origin}/trpc/auth.logout`, { method: 'POST' })
    expect(await listLoaded()).toContain(HTTP_CLIENT)
  },
)
