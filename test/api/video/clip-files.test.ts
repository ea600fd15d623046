import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { removeAccount } from '#server/desk/account-deletion/account-deletion.service.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { makeClip, readClip, readFlash, readSound } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { refuseUpdates } from '#test/support/site-database.ts'
import { listStored } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const FLASH_SECONDS = 3.4

const site = setUpTestSite()
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let long: string
let video: number

beforeAll(async () => {
  long = join(site.dataFolder, 'long.mp4')
  const moving = { bFrames: 2, keyFrameSeconds: 2, flashSeconds: FLASH_SECONDS }
  await makeClip({ path: long, seconds: 6, ...moving })
  video = await upload(long)
})

async function upload(path: string, more: { replacesVideoId?: number } = {}): Promise<number> {
  const uploadId = await sendFile({ site, as: ann }, { path, ...more })
  return (await complete({ site, as: ann }, { uploadId })).json().videoId
}
const { ask } = callsOf(site)
const find = (id: number) => ask<Clip>(undefined, 'clip.byId', { id })
const create = (range: object = {}) =>
  ask<Clip>(bob, 'clip.create', {
    ...{ videoId: video, title: 'The shot', startSeconds: 2.7, endSeconds: 5.2, ...range },
  })
async function made(id: number): Promise<Clip> {
  await until(async () => !(await find(id)).isFileComing)
  return find(id)
}
async function save(url: string | null): Promise<string> {
  const answer = await site.get(url ?? '')
  expect(answer.statusCode).toBe(200)
  const path = join(site.dataFolder, url?.split('/').at(-1) ?? '')
  await writeFile(path, answer.rawPayload)
  return path
}
const status = async (url: string | null) => (await site.get(url ?? '')).statusCode
async function folder(): Promise<string[]> {
  const { mediaKey } = await readRow(site.db, 'videos', { id: video })
  return listStored(site, mediaKey)
}

test('a short clip gets a file of just its range and a picture, which go with it', async () => {
  const created = await create()
  expect(created).toMatchObject({ isFileComing: true, shareUrl: null })
  await site.deps.jobs.start()
  const clip = await made(created.id)
  const path = await save(clip.shareUrl)
  const { durationSeconds, pictures, sounds } = await readClip(path)
  expect(durationSeconds).toBeCloseTo(2.5, 1)
  expect([pictures[0]?.codec, pictures[0]?.times[0], sounds[0]?.codec]).toEqual(['h264', 0, 'aac'])
  // A picture lasts a thirtieth of a second.
  const flash = (await readFlash(path)) - (FLASH_SECONDS - clip.startSeconds)
  expect(Math.abs(flash)).toBeLessThan(0.034)
  const beep = (await readSound(path)).heardAt - (FLASH_SECONDS - clip.startSeconds)
  expect(Math.abs(beep)).toBeLessThan(0.03)
  await save(clip.pictureUrl)
  expect((await folder()).filter((name) => name.startsWith('clip-'))).toHaveLength(3)

  await ask(bob, 'clip.delete', { id: clip.id })
  expect([await status(clip.shareUrl), await status(clip.pictureUrl)]).toEqual([404, 404])
  expect((await folder()).filter((name) => name.startsWith('clip-'))).toEqual([])
})

longTest('a clip with other ends gets another file, and none of the old one', async () => {
  const before = await made((await create()).id)
  await ask(bob, 'clip.update', { id: before.id, endSeconds: 4.7 })
  expect(await status(before.shareUrl)).toBe(404)
  const after = await made(before.id)
  expect((await readClip(await save(after.shareUrl))).durationSeconds).toBeCloseTo(2, 1)
  await ask(bob, 'clip.delete', { id: before.id })
})

test('clips stay with another recording as far as it lasts, and get new files', async () => {
  const stays = await made((await create({ startSeconds: 0.5, endSeconds: 3 })).id)
  const goes = await create({ startSeconds: 3, endSeconds: 6 })
  const short = join(site.dataFolder, 'short.mp4')
  await makeClip({ path: short, seconds: 4 })
  expect(await upload(short, { replacesVideoId: video })).toBe(video)
  const { items } = await ask<{ items: Clip[] }>(undefined, 'clip.ofVideo', { id: video })
  expect(items.map(({ id }) => id)).toEqual([stays.id])
  const now = await made(stays.id)
  expect(now.shareUrl).not.toBe(stays.shareUrl)
  expect(await status(now.shareUrl)).toBe(200)
  expect((await site.get(`/api/clips/${goes.id}`)).statusCode).toBe(404)
})

describe('the queue', () => {
  const range = { startSeconds: 0, endSeconds: 2 }
  const setJob = (change: object) =>
    changeRows(site.db, 'jobs', { where: { videoId: video, kind: 'clip' }, values: change })

  longTest('takes turns between members after each clip', async () => {
    await site.deps.jobs.stop()
    const theirs = await sendFile({ site, as: bob }, { path: long, name: 'theirs.mp4' })
    const { videoId } = (await complete({ site, as: bob }, { uploadId: theirs })).json()
    const clips: Clip[] = []
    for (const id of [video, video, videoId, videoId]) {
      clips.push(await create({ ...range, videoId: id }))
    }
    const claims = () =>
      site.db
        .selectFrom('jobLog')
        .innerJoin('jobs', 'jobs.id', 'jobLog.jobId')
        .select('jobs.videoId')
        .where('jobs.kind', '=', 'clip')
        .where('jobLog.text', 'like', '%begins%')
        .orderBy('jobLog.id')
        .execute()
    const { length } = await claims()
    await site.deps.jobs.start()
    for (const { id } of clips) await made(id)
    for (const { id } of clips) await ask(bob, 'clip.delete', { id })
    const turns = (await claims()).slice(length).map((claim) => claim.videoId)
    expect(turns).toEqual([videoId, video, videoId, video])
  })

  test('goes on with the other clips when one fails for whatever reason', async () => {
    await site.deps.jobs.stop()
    const [fails, other] = [await create(range), await create(range)]
    const allow = await refuseUpdates(site.db, {
      table: 'clips',
      when: sql`NEW."id" = ${sql.lit(fails.id)} AND NEW."fileState" = 'made'`,
    })
    await setJob({ failures: 2 })
    await site.deps.jobs.start()
    expect((await made(other.id)).shareUrl).not.toBeNull()
    expect(await made(fails.id)).toMatchObject({ shareUrl: null })
    await allow()
    for (const { id } of [fails, other]) await ask(bob, 'clip.delete', { id })
  })

  test('says of no file that it is coming when its job is cancelled or given up', async () => {
    await site.deps.jobs.stop()
    const { id } = await create(range)
    await ask(ann, 'video.cancelProcessing', { id: video })
    expect(await find(id)).toMatchObject({ isFileComing: false, shareUrl: null })
    await ask(ann, 'video.retryProcessing', { id: video })
    expect(await find(id)).toMatchObject({ isFileComing: true })
    await setJob({ state: 'running', failures: 2, interruptions: 9 })
    await site.deps.jobs.start()
    expect(await find(id)).toMatchObject({ isFileComing: false, shareUrl: null })
    await ask(bob, 'clip.makeFile', { id })
    expect((await made(id)).shareUrl).not.toBeNull()
    await ask(bob, 'clip.delete', { id })
  })
})

test('clips go with the account of whoever made them, with their files and likes', async () => {
  const byBob = await made((await create({ startSeconds: 0, endSeconds: 2 })).id)
  const byAnn = await ask<Clip>(ann, 'clip.create', {
    ...{ videoId: video, title: 'Mine', startSeconds: 0, endSeconds: 2 },
  })
  await ask(bob, 'clip.like', { id: byAnn.id, isLiked: true })
  await removeAccount(site.deps, { userId: bob.id, withComments: false })
  const { items } = await ask<{ items: Clip[] }>(undefined, 'clip.ofVideo', { id: video })
  expect(items).toMatchObject([{ id: byAnn.id, likeCount: 0 }])
  const retired = await site.db
    .selectFrom('mediaFiles')
    .select('name')
    .where('retiredAt', 'is not', null)
    .execute()
  expect(retired.map(({ name }) => name)).toContain(byBob.shareUrl?.split('/').at(-1))
})
