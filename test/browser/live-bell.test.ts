import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, openPage } from '../support/browser.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

let server: ServerProcess
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.remove()
})

/** A line to the server that can be cut, and mended. */
async function openLine(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const line = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  return {
    origin: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    cut(): void {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend(): void {
      isCut = false
    },
    close(): void {
      line.close()
      this.cut()
    },
  }
}

test('the bell finds its line again by itself, and what happened meanwhile', async () => {
  const line = await openLine(server.port)
  const { page } = await openPage(browser, { origin: line.origin })
  const register = async (request: typeof page.request, origin: string, username: string) => {
    const data = { username, email: `${username}@example.org`, displayName: username }
    const answer = await request.post(`${origin}/api/register`, {
      data: { ...data, password: 'correct horse' },
    })
    return ((await answer.json()) as { id: number }).id
  }
  const channelId = await register(page.request, line.origin, 'bella')
  const listening = page.waitForResponse(/notification\.onChange/)
  await page.goto('/')
  await listening
  const unread = (count: number) =>
    page.getByRole('button', { name: `Notifications, ${count} unread` })

  const subscribe = async (username: string) => {
    const fan = await browser.newContext()
    await register(fan.request, server.origin, username)
    const answer = await fan.request.post(`${server.origin}/api/subscriptions`, {
      data: { channelId },
    })
    expect(answer.status()).toBe(201)
    await fan.close()
  }
  await subscribe('first')
  await unread(1).waitFor()
  line.cut()
  await subscribe('second')
  await subscribe('third')
  expect(await unread(1).count()).toBe(1)
  line.mend()
  await unread(3).waitFor()
  await subscribe('fourth')
  await unread(4).waitFor()
  await page.context().close()
  line.close()
})
