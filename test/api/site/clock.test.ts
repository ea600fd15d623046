import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { insertJob } from '#server/video/job/job.queries.ts'
import { claimNextJob } from '#server/video/job/job-queue.queries.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { initialize } from '#test/support/upload-client.ts'
import { lockOut, setOffset, startShifted } from '#test/torture/support/clock-site.ts'
import { createSiteClient } from '#test/torture/support/site-client.ts'

const DAY_MS = 86_400_000
/** A session that is not remembered lives for a day. */
const JUMP_MS = DAY_MS - 3_600_000

const site = setUpTestSite()
const { ann } = setUpFileMembers(site, ['ann'])

test('an upload outlives a clock that jumps a day ahead, when it goes on within the hour', async () => {
  const { uploadId } = (await initialize({ site, as: ann }, { size: 5 })).json()
  const deps = { ...site.deps, log: site.log }
  // To the server this is the same: all that it knows is a day older at once.
  const touchedAt = timestamp(new Date(Date.now() - DAY_MS - 1000))
  await site.db.updateTable('uploads').set({ touchedAt }).execute()
  const suspects = await tidy(deps, new Set())
  const resumed = await initialize({ site, as: ann }, { size: 5, resumeUploadId: uploadId })
  expect([resumed.statusCode, resumed.json().uploadId]).toEqual([200, uploadId])
  await tidy(deps, suspects)
  const again = await initialize({ site, as: ann }, { size: 5, resumeUploadId: uploadId })
  expect(again.statusCode).toBe(200)
})

test('a job does not wait for a day when the clock is set back by one', async () => {
  const videoId = await site.addVideo(ann)
  await site.db.transaction().execute((db) => insertJob(db, { kind: 'ladder', videoId }))
  const soon = timestamp(new Date(Date.now() + 60_000))
  await sql`UPDATE jobs SET "runAfter" = ${soon}`.execute(site.db)
  expect(await claimNextJob(site.db)).toBeUndefined()
  const tomorrow = timestamp(new Date(Date.now() + DAY_MS))
  await sql`UPDATE jobs SET "runAfter" = ${tomorrow}`.execute(site.db)
  expect(await claimNextJob(site.db)).toMatchObject({ videoId })
})

test('a lock of five minutes lasts no longer when the clock jumps by 23 hours, either way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-clock-'))
  const clock = { file: join(folder, 'offset'), dataFolder: join(folder, 'data') }
  await setOffset(clock, 0)
  const server = await startShifted(clock)
  try {
    const owner = createSiteClient(server.origin)
    await owner.register('owner')
    for (const offset of [JUMP_MS, 0]) {
      expect(await lockOut(createSiteClient(server.origin), 'owner')).toBe(429)
      await setOffset(clock, offset)
      expect((await createSiteClient(server.origin).logIn('owner'))?.status).toBe(200)
      expect((await owner.get('/api/user'))?.status).toBe(200)
    }
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})
