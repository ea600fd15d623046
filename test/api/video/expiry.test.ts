import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endExpiredVideos } from '#server/video/expiry/expiry.service.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'

const DAY_MS = 86_400_000

const site = setUpTestSite()
const { owner, member } = setUpFileMembers(site, ['owner', 'member'])

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
const edit = (id: number, payload: object) =>
  site.patch(`/api/videos/${id}`, { payload, as: owner })
const read = (id: number, as = owner) => site.get(`/api/videos/${id}`, { as })
const notices = async () => {
  const url = `/api/users/${owner.id}/notifications`
  const { body } = await site.get(url, { as: owner })
  return body.match(/Your video (goes private|will be deleted) on/g)?.length ?? 0
}

test('a video goes private or is deleted at its time, and its owner hears of it a week before', async () => {
  const [fading, going] = [await site.addVideo(owner), await site.addVideo(owner)]
  const at = inDays(10).toISOString()
  await edit(fading, { expiry: { at, action: 'private' } })
  const answer = await edit(going, { expiry: { at, action: 'delete' } })
  expect(answer.json().expiry).toEqual({ at, action: 'delete' })
  expect((await read(going, member)).json().expiry).toBeNull()

  await endExpiredVideos(site.deps, inDays(2))
  expect(await notices()).toBe(0)
  await endExpiredVideos(site.deps, inDays(4))
  await endExpiredVideos(site.deps, inDays(5))
  expect(await notices()).toBe(2)

  await endExpiredVideos(site.deps, inDays(11))
  expect((await read(fading)).json()).toMatchObject({ visibility: 'private', expiry: null })
  expect((await read(fading, member)).statusCode).toBe(404)
  expect((await read(going)).statusCode).toBe(404)
})

test('until then it can be undone, and another date is announced anew', async () => {
  const id = await site.addVideo(owner)
  const before = await notices()
  await edit(id, { expiry: { at: inDays(3).toISOString(), action: 'delete' } })
  await endExpiredVideos(site.deps)
  expect(await notices()).toBe(before + 1)
  await edit(id, { expiry: { at: inDays(5).toISOString(), action: 'delete' } })
  await endExpiredVideos(site.deps)
  expect(await notices()).toBe(before + 2)
  await edit(id, { expiry: null })
  await endExpiredVideos(site.deps, inDays(30))
  expect((await read(id, member)).statusCode).toBe(200)
})

test('it is announced once, though that is looked for twice at once', async () => {
  const before = await notices()
  const id = await site.addVideo(owner)
  await edit(id, { expiry: { at: inDays(3).toISOString(), action: 'private' } })
  await Promise.all([endExpiredVideos(site.deps), endExpiredVideos(site.deps)])
  expect(await notices()).toBe(before + 1)
})

// A trigger of SQLite stands for the owner.
test.skipIf(isOnPostgres)('undone at the last moment, it is undone', async () => {
  const [first, second] = [await site.addVideo(owner), await site.addVideo(owner)]
  for (const [id, days] of [
    [first, 1],
    [second, 2],
  ] as const) {
    await edit(id, { expiry: { at: inDays(days).toISOString(), action: 'delete' } })
  }
  // While the first is being deleted, the owner of the second changes their mind.
  await sql`CREATE TEMP TRIGGER "undo" AFTER UPDATE OF "processingState" ON "videos" BEGIN
    UPDATE "videos" SET "expiresAt" = NULL, "expiryAction" = NULL WHERE "id" = ${sql.lit(second)};
  END`.execute(site.db)
  await endExpiredVideos(site.deps, inDays(3))
  await sql`DROP TRIGGER "undo"`.execute(site.db)
  expect((await read(first)).statusCode).toBe(404)
  expect((await read(second)).statusCode).toBe(200)
})

test('a date that has passed, or none, is refused with a sentence', async () => {
  const id = await site.addVideo(owner)
  for (const at of [inDays(-1).toISOString(), 'tomorrow']) {
    const answer = await edit(id, { expiry: { at, action: 'delete' } })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toMatch(/[a-z]{3}.*\.$/)
  }
})
