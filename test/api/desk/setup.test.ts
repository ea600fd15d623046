import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteRunningVersion } from '#server/desk/release/release.service.ts'
import { up } from '#server/platform/db/sqlite/migrations/011-first-run.ts'
import type { Release } from '#shared/schemas/desk/release.schemas.ts'
import type { Reach, Setup } from '#shared/schemas/desk/setup.schemas.ts'
import { answerOf, procedureRequest } from '#test/support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'

let site: TestSite
let admin: TestMember

beforeEach(async () => {
  site = await openTestSite({ trustedProxies: ['127.0.0.0/8'], host: '0.0.0.0' })
  admin = await site.addMember('admin', { isAdmin: true })
})
afterEach(() => site.close())

const ask = <Output>(name: string, input?: object, as: TestMember | undefined = admin) =>
  answerOf<Output>(site, { as, name, input })
const states = async () => {
  const { steps } = await ask<Setup>('setup.get')
  return Object.fromEntries(steps.map(({ name, state }) => [name, state]))
}

test('every step can be done, skipped and taken up again, and what is seen of the site is done', async () => {
  const nothing = { look: 'open', members: 'open', uploads: 'open', reach: 'open', clip: 'open' }
  expect(await states()).toEqual(nothing)
  await ask('setup.mark', { step: 'members', state: 'done' })
  await ask('setup.mark', { step: 'clip', state: 'skipped' })
  expect(await states()).toEqual({ ...nothing, members: 'done', clip: 'skipped' })
  await ask('setup.mark', { step: 'members', state: 'open' })
  await ask('site.edit', { name: 'Friday clips', uploadsNeedApproval: true })
  const id = await site.addVideo(admin, { title: 'First blood' })
  expect(await states()).toEqual({ ...nothing, look: 'done', uploads: 'done', clip: 'done' })
  expect(await ask<Setup>('setup.get')).toMatchObject({ firstVideo: { id, title: 'First blood' } })
})

test('the server says by which address and through what it was reached', async () => {
  const reach = async (headers: Record<string, string>, remoteAddress?: string) => {
    const request = { ...procedureRequest('setup.reach'), headers }
    const answer = await site.call({
      as: admin,
      ...request,
      ...(remoteAddress && { remoteAddress }),
    })
    return answer.json().result.data as Reach
  }
  expect(await reach({ host: '192.168.1.5:3000' })).toMatchObject({
    publicUrl: null,
    origin: 'http://192.168.1.5:3000',
    loneHost: null,
    proxy: 'none',
    isPublic: false,
  })
  const forwarded = {
    host: 'clutch:3000',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'clips.example.org',
  }
  expect(await reach(forwarded)).toMatchObject({
    origin: 'https://clips.example.org',
    proxy: 'trusted',
    isPublic: true,
  })
  expect(await reach(forwarded, '172.18.0.2')).toMatchObject({
    origin: 'http://clutch:3000',
    proxy: 'untrusted',
    peer: '172.18.0.2',
  })
})

test('who runs the site is said for as long as one finds nothing on it', async () => {
  const host = (as?: TestMember) => answerOf(site, { as, name: 'explore.host' })
  expect(await host()).toEqual({ id: admin.id, displayName: 'admin' })
  await site.addVideo(admin, { visibility: 'members' })
  expect(await host()).toEqual({ id: admin.id, displayName: 'admin' })
  expect(await host(admin)).toBeNull()
  await site.addVideo(admin)
  expect(await host()).toBeNull()
})

test('a site that has long been run is led through nothing, and hears what changed', async () => {
  const added = ['setupSteps', 'lastRunVersion', 'previousVersion', 'asksForUpdates']
  for (const column of [...added, 'updateAddress', 'updateAskedAt', 'updateAnswer']) {
    await sql`ALTER TABLE "siteSettings" DROP COLUMN ${sql.ref(column)}`.execute(site.db)
  }
  await up(site.db as unknown as Kysely<unknown>)
  await noteRunningVersion(site.db)
  expect(Object.values(await states())).toEqual(Array(5).fill('skipped'))
  expect((await ask<Release>('release.get')).news).toMatchObject({ since: '0.1.0' })
})
