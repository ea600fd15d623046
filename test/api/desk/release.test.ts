import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askForUpdate, noteRunningVersion } from '#server/desk/release/release.service.ts'
import { readVersion } from '#server/desk/release/running-version.ts'
import type { Waiting } from '#shared/schemas/desk/overview.schemas.ts'
import type { Release } from '#shared/schemas/desk/release.schemas.ts'
import { answerOf, callProcedure, expectRefused } from '#test/support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'

const DAY_MS = 86_400_000

let site: TestSite
let admin: TestMember

beforeEach(async () => {
  site = await openTestSite({ commit: 'c0ffee0123456789', localHosts: ['127.0.0.1'] })
  admin = await site.addMember('admin', { isAdmin: true })
})
afterEach(() => site.close())

const readRelease = () => answerOf<Release>(site, { as: admin, name: 'release.get' })
/** Reads the new version that the notification bell shows. */
const readNewVersion = async () =>
  (await answerOf<Waiting>(site, { as: admin, name: 'overview.waiting' })).newVersion
const edit = (input: object) => callProcedure(site, { as: admin, name: 'site.edit', input })

test('what changed since another version ran is said until an admin dismisses it', async () => {
  const version = await readVersion()
  await noteRunningVersion(site.db)
  expect(await readRelease()).toMatchObject({ version, commit: 'c0ffee0123456789', news: null })
  await noteRunningVersion(site.db, '0.9.0')
  await noteRunningVersion(site.db)
  await noteRunningVersion(site.db)
  const { news } = await readRelease()
  expect(news).toMatchObject({ since: '0.9.0' })
  expect(news?.sections.map((section) => section.version)).toContain(version)
  await answerOf(site, { as: admin, name: 'release.dismissNews' })
  expect((await readRelease()).news).toBeNull()
})

test('a version that was not read about is not forgotten at the next update; one that was left is', async () => {
  for (const version of ['0.8.0', '0.9.0', await readVersion()]) {
    await noteRunningVersion(site.db, version)
  }
  expect((await readRelease()).news).toMatchObject({ since: '0.8.0' })
  await noteRunningVersion(site.db, '0.8.0')
  expect((await readRelease()).news).toBeNull()
})

describe('an update notice', () => {
  let server: Server
  let origin: string
  let asked: IncomingMessage[] = []
  let answer: (response: ServerResponse) => void

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request)
      answer(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    asked = []
  })

  const askAt = (days: number) =>
    askForUpdate(
      { db: site.db, closing: new AbortController().signal, outgoing: site.deps.outgoing },
      new Date(Date.now() + days * DAY_MS),
    )
  const json = (body: unknown) => (response: ServerResponse) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

  test('is asked for only where an admin wants it, once a day, and says nothing of the site', async () => {
    answer = json({ version: '98.7.6', url: 'https://example.org/98.7.6' })
    await askAt(0)
    await edit({ updateAddress: `${origin}/latest` })
    await askAt(0)
    expect(asked).toEqual([])
    expect((await readRelease()).update).toBeNull()
    await edit({ asksForUpdates: true })
    await askAt(0)
    await askAt(0.9)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.url).toBe('/latest')
    expect(asked[0]?.headers).toMatchObject({ 'user-agent': 'Clutch', accept: 'application/json' })
    expect((await readRelease()).update).toEqual({
      askedAt: expect.any(String),
      newest: { version: '98.7.6', url: 'https://example.org/98.7.6' },
      isNewer: true,
    })
    expect(await readNewVersion()).toBe('98.7.6')
    answer = json({ tag_name: 'v0.0.1', html_url: 'javascript:alert(1)', assets: [] })
    await askAt(1)
    expect((await readRelease()).update).toMatchObject({
      newest: { version: '0.0.1', url: null },
      isNewer: false,
    })
    expect(await readNewVersion()).toBeNull()
    await edit({ asksForUpdates: false })
    expect((await readRelease()).update).toBeNull()
  })

  test('is silent about whatever else is answered, and follows nobody elsewhere', async () => {
    await edit({ asksForUpdates: true, updateAddress: origin })
    const wrong: ((response: ServerResponse) => void)[] = [
      (response) => void response.writeHead(302, { location: 'https://example.org/' }).end(),
      (response) => void response.writeHead(404).end('gone'),
      (response) => void response.end('<html>'),
      (response) => void response.end(`"${'x'.repeat(70_000)}"`),
      (response) => void response.destroy(),
      json({ version: 'newest' }),
      json({ tag_name: '1.2' }),
      json(null),
    ]
    for (const [index, one] of wrong.entries()) {
      answer = one
      await askAt(2 + index)
      expect((await readRelease()).update).toMatchObject({ newest: null, isNewer: false })
    }
    expect(asked.map(({ url }) => url)).toEqual(wrong.map(() => '/'))
  })

  test('forgets what another address answered, and asks only what is safe to ask', async () => {
    answer = json({ version: '98.7.6', url: 'https://example.org' })
    await edit({ asksForUpdates: true, updateAddress: origin })
    await askAt(0)
    await edit({ updateAddress: `${origin}/other` })
    expect((await readRelease()).update).toEqual({ askedAt: null, newest: null, isNewer: false })
    const unsafe =
      "The address for updates must begin with https://, or its host must be listed in 'Hosts on the local network'."
    for (const updateAddress of [
      'http://example.org',
      'http://10.0.0.1',
      'https://git.lan',
      'ftp://127.0.0.1',
      'https://a:b@example.org',
      'x',
    ]) {
      expectRefused(await edit({ updateAddress }), 400, unsafe)
    }
    await edit({ updateAddress: 'http://git.lan', localHosts: ['git.lan'] })
    const none = 'To hear of newer versions, give the address to ask.'
    expectRefused(await edit({ updateAddress: '' }), 400, none)
    const { items } = await answerOf<{ items: object[] }>(site, {
      ...{ as: admin, name: 'audit.list', input: { action: 'site.edit' } },
    })
    expect(items[0]).toMatchObject({ targetName: 'updateAddress, localHosts' })
  })
})
