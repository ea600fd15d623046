import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { estimatePlannedClip } from '#server/account/room/room.service.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { makeClipFiles } from '#server/video/clip/clip-job.ts'
import { claimNextJob } from '#server/video/job/job-queue.queries.ts'
import { JOB_LIMITS } from '#server/video/job/job-run.ts'
import { insertComingFiles, updateComingFiles } from '#server/video/media/media-file.queries.ts'
import { recountStorage, removeRetiredFile } from '#server/video/media/media-folder.ts'
import { deleteRetiredFile } from '#server/video/media/retired-file.queries.ts'
import { UnplayableSourceError } from '#server/video/processing/media-errors.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import type { Held, HeldItem, HeldPartName } from '#shared/schemas/held.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { held, leaveRoom } from '#test/support/held.ts'
import { longTest } from '#test/support/long-form.ts'
import { makePng } from '#test/support/png.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, initialize, multipart, sendFile } from '#test/support/upload-client.ts'

const OVER = /^This file would take you over your storage quota of [\d.]+[KM]?B\.$/
const KB = 1024

const site = setUpTestSite()
const { owner, bob, eve } = setUpFileMembers(site, ['owner', 'bob', 'eve'])
let path: string
let video: number

beforeAll(async () => {
  await site.deps.jobs.start()
  path = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path, width: 160, height: 90, seconds: 9, keyFrameSeconds: 1 })
  const uploadId = await sendFile({ site, as: owner }, { path })
  video = (await complete({ site, as: owner }, { uploadId })).json().videoId
  await until(async () => (await rowOf(video)).hlsUrl !== null)
})
afterEach(async () => {
  for (const member of [owner, bob, eve]) await leaveRoom(site, member, null)
})

const rowOf = (id: number) =>
  site.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const { ask, call } = callsOf(site)
const list = (as: TestMember, part: HeldPartName) => ask<HeldItem[]>(as, 'held.list', { part })
const remove = (as: TestMember, part: HeldPartName, id: number | string) =>
  call(as, 'held.delete', { part, id: String(id) })
const clipOf = (as: TestMember, startSeconds: number) =>
  ask<Clip>(as, 'clip.create', {
    ...{ videoId: video, title: 'A shot', startSeconds, endSeconds: startSeconds + 2 },
  })
const findClip = (id: number) => ask<Clip>(owner, 'clip.byId', { id })
const isMade = (id: number) => until(async () => !(await findClip(id)).isFileComing)
const fileSizes = (id: number) =>
  site.db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes', 'makerId'])
    .where('videoId', '=', id)
    .execute()
const sendCaptions = (label: string, bytes: number) => {
  const cue = 'word '.repeat(40)
  const cues = Array.from({ length: Math.ceil(bytes / cue.length) }, (_, at) => {
    const time = `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
    return `${time}.000 --> ${time}.900\n${cue}\n`
  })
  const captions = Buffer.from(`WEBVTT\n\n${cues.join('\n')}`)
  const form = multipart({ language: 'en', label, captions })
  return site.post(`/api/videos/${video}/captions`, { as: owner, ...form })
}
const sendPoster = (side: number) =>
  site.call({
    ...{ method: 'POST', url: `/api/videos/${video}/thumbnail`, as: owner },
    ...multipart({ thumbnail: makePng(side, 90) }),
  })
const sendThumbnail = (as: TestMember, uploadId: string, width: number) =>
  site.call({
    ...{ method: 'POST', url: '/api/uploads/thumbnail', as },
    ...multipart({ uploadId, thumbnail: makePng(width, 90) }),
  })
const sendAvatar = (as: TestMember, width: number) =>
  site.call({
    ...{ method: 'POST', url: '/api/settings/avatar', as },
    ...multipart({ picture: makePng(width, 64) }),
  })

describe('files of clips', () => {
  test('are charged to who made the clip, and not to whose video it is of', async () => {
    const [ofOwner, ofBob] = [await held(site, owner), await held(site, bob)]
    const clip = await clipOf(bob, 1)
    await isMade(clip.id)
    const files = (await fileSizes(video)).filter(({ name }) => name.startsWith(`clip-${clip.id}-`))
    expect(files.length).toBeGreaterThan(1)
    expect(new Set(files.map(({ makerId }) => makerId))).toEqual(new Set([bob.id]))
    const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
    expect(bytes).toBeGreaterThan(1000)
    expect((await held(site, bob)).of('clips')).toBe(ofBob.of('clips') + bytes)
    expect((await held(site, owner)).heldBytes).toBe(ofOwner.heldBytes)
    expect(await list(bob, 'clips')).toEqual([
      { id: String(clip.id), title: 'A shot', bytes, until: null },
    ])
    // Their maker deletes them also when the video is no longer to be seen.
    await changeRows(site.db, 'videos', { where: { id: video }, values: { visibility: 'private' } })
    expect((await remove(eve, 'clips', clip.id)).statusCode).toBe(404)
    expect((await remove(bob, 'clips', clip.id)).statusCode).toBe(200)
    await changeRows(site.db, 'videos', { where: { id: video }, values: { visibility: 'public' } })
    expect((await held(site, bob)).heldBytes).toBe(ofBob.heldBytes)
    expect(await findClip(clip.id)).toMatchObject({ shareUrl: null, isFileComing: false })
  })

  test('are not made where their maker has no room, and the clip is there all the same', async () => {
    await leaveRoom(site, bob, 10)
    const before = (await held(site, bob)).heldBytes
    const clip = await clipOf(bob, 2)
    expect(clip).toMatchObject({ shareUrl: null, isFileComing: false })
    const again = await call(bob, 'clip.makeFile', { id: clip.id })
    expect([again.statusCode, again.json().error.message]).toEqual([
      413,
      expect.stringMatching(OVER),
    ])
    // Room of the video's owner is none of theirs, nor the other way round.
    await leaveRoom(site, bob, null)
    await leaveRoom(site, owner, 10)
    await ask(bob, 'clip.makeFile', { id: clip.id })
    await isMade(clip.id)
    expect((await held(site, bob)).heldBytes).toBeGreaterThan(before)
  })

  longTest('of several makers take turns, and none of the owner’s', async () => {
    await site.deps.jobs.stop()
    const clips = []
    for (const at of [0, 1, 2]) clips.push(await clipOf(bob, at))
    clips.push(await clipOf(eve, 3))
    await site.deps.jobs.start()
    for (const { id } of clips) await isMade(id)
    const rows = await site.db
      .selectFrom('clips')
      .select(['id', 'userId'])
      .where(
        'id',
        'in',
        clips.map(({ id }) => id),
      )
      .orderBy('fileBegunAt')
      .execute()
    expect(
      rows
        .slice(0, 2)
        .map(({ userId }) => userId)
        .sort(),
    ).toEqual([bob.id, eve.id])
  })

  longTest(
    'are not marked as failed by an attempt whose job was given to another meanwhile',
    async () => {
      await site.deps.jobs.stop()
      const { id } = await clipOf(bob, 4)
      const job = await claimNextJob(site.db)
      if (!job) throw new Error('The job of the clip is not queued.')
      const openWorkFolder = async () => {
        await site.db.updateTable('jobs').set({ attempt: 99 }).where('id', '=', job.id).execute()
        throw new UnplayableSourceError('This file cannot be read.')
      }
      const disk = { ...site.disk, openWorkFolder }
      await makeClipFiles(
        { ...site.deps, disk, renditionHeights: [], jobLimits: JOB_LIMITS },
        {
          ...{ job, signal: new AbortController().signal, encoder: 'libx264' },
          runTask: () => {
            throw new Error('No task of the queue is run here.')
          },
          onProgress: () => {},
        },
      )
      const stateOf = async () =>
        (await site.db.selectFrom('clips').select('fileState').where('id', '=', id).execute())[0]
      expect(await stateOf()).toEqual({ fileState: 'wanted' })
      const change = { state: 'queued' as const, leaseUntil: null, nodeId: null }
      await site.db.updateTable('jobs').set(change).where('id', '=', job.id).execute()
      await site.deps.jobs.start()
      await isMade(id)
      expect(await stateOf()).toEqual({ fileState: 'made' })
    },
  )
})

longTest(
  'a new picture of an unfinished upload takes the place of the old one, and goes with the upload',
  async () => {
    const before = (await held(site, eve)).heldBytes
    const { uploadId } = (await initialize({ site, as: eve }, { size: 5000 })).json()
    const stored = async () => {
      const files = await readdir(site.disk.uploadFolder(uploadId))
      return files.filter((name) => name.startsWith('thumbnail'))
    }
    for (let width = 100; width < 130; width++) {
      expect((await sendThumbnail(eve, uploadId, width)).statusCode).toBe(200)
    }
    expect(await stored()).toHaveLength(1)
    const { thumbnailBytes } = await readRow(site.db, 'uploads', { id: uploadId })
    expect(thumbnailBytes).toBeGreaterThan(100)
    expect((await held(site, eve)).of('uploads')).toBe(5000 + thumbnailBytes)
    const kept = await stored()
    await leaveRoom(site, eve, 10)
    expectSentence(await sendThumbnail(eve, uploadId, 200), {
      status: 413,
      naming: 'storage quota',
    })
    expect(await stored()).toEqual(kept)
    expect((await remove(eve, 'uploads', uploadId)).statusCode).toBe(200)
    expect((await held(site, eve)).heldBytes).toBe(before)
    expect(await readdir(site.disk.folders.uploads)).not.toContain(uploadId)
  },
)

test('what an attempt that broke off had counted is not asked for again, and is taken off once', async () => {
  const { storageBytes } = await rowOf(video)
  const file = { videoId: video, name: 'clip-77-dead.mp4', bytes: 5000 }
  const row = {
    name: file.name,
    kind: 'share' as const,
    bytes: 5000,
    sha256: null,
    makerId: bob.id,
  }
  await inTransaction(site.db, (db) => insertComingFiles(db, { videoId: video, files: [row] }))
  const clip = { id: 77, videoId: video, prefix: 'clip-77-' }
  expect(await estimatePlannedClip(site.db, clip)).toBe(5000)
  expect((await rowOf(video)).storageBytes).toBe(storageBytes + 5000)
  await recountStorage(site.deps, await rowOf(video))
  expect((await rowOf(video)).storageBytes).toBe(storageBytes + 5000)
  await deleteRetiredFile(site.db, file)
  await deleteRetiredFile(site.db, file)
  expect((await rowOf(video)).storageBytes).toBe(storageBytes)
})

test('a file that is being deleted is not published by an attempt that comes late', async () => {
  const { storageBytes, mediaKey } = await rowOf(video)
  const name = 'clip-78-dead.mp4'
  const files = [{ name, kind: 'share' as const, bytes: 5000, sha256: null, makerId: bob.id }]
  await inTransaction(site.db, (db) => insertComingFiles(db, { videoId: video, files }))
  const publish = () =>
    inTransaction(site.db, (db) => updateComingFiles(db, { videoId: video, names: [name] }))
  let late: unknown
  const media: MediaStore = Object.create(site.media, {
    removePrefix: {
      value: async (prefix: string) => {
        await site.media.removePrefix(prefix)
        late = await publish().catch((error: unknown) => error)
      },
    },
  })
  await removeRetiredFile({ ...site.deps, media }, { videoId: video, mediaKey, name, bytes: 5000 })
  expect(late).toMatchObject({ message: expect.stringContaining('changed meanwhile') })
  expect((await fileSizes(video)).map((file) => file.name)).not.toContain(name)
  expect((await rowOf(video)).storageBytes).toBe(storageBytes)
})

test('with little quota left neither captions nor posters take more than that', async () => {
  await leaveRoom(site, owner, 300 * KB)
  const before = (await held(site, owner)).heldBytes
  const answers = []
  for (let at = 0; at < 6; at++) answers.push(await sendCaptions(`Much ${at}`, 120 * KB))
  const sentences = answers.filter(({ statusCode }) => statusCode === 413)
  expect(sentences.length).toBeGreaterThan(2)
  for (const answer of sentences) expect(answer.body).toMatch(OVER)
  const now = await held(site, owner)
  expect(now.heldBytes - before).toBeLessThanOrEqual(300 * KB)
  expect(now.of('captions')).toBeGreaterThan(100 * KB)
  await leaveRoom(site, owner, 10)
  expectSentence(await sendPoster(160), { status: 413, naming: 'storage quota' })
  expect((await held(site, owner)).heldBytes).toBe(now.heldBytes)
  expect(await readdir(site.disk.folders.work)).toEqual([])
})

test('of what comes at the same moment as much is let in as fits', async () => {
  await ask(owner, 'held.empty', { part: 'captions' })
  await leaveRoom(site, owner, 100 * KB)
  const { heldBytes } = await held(site, owner)
  const all = [
    ...Array.from({ length: 18 }, (_, at) => sendCaptions(`At once ${at}`, 30 * KB)),
    ...Array.from({ length: 4 }, (_, at) => sendAvatar(owner, 65 + at)),
  ]
  const codes = (await Promise.all(all)).map(({ statusCode }) => statusCode)
  expect(new Set(codes)).toEqual(new Set([200, 413].filter((code) => codes.includes(code))))
  expect(codes).toContain(413)
  expect((await held(site, owner)).heldBytes).toBeLessThanOrEqual(heldBytes + 100 * KB)
})

test('an avatar counts, and is asked for', async () => {
  const before = (await held(site, bob)).of('channel')
  expect((await sendAvatar(bob, 300)).statusCode).toBe(200)
  const now = (await held(site, bob)).of('channel')
  expect(now - before).toBeGreaterThan(100)
  await leaveRoom(site, bob, 10)
  expectSentence(await sendAvatar(bob, 310), { status: 413, naming: 'storage quota' })
  expect((await held(site, bob)).of('channel')).toBe(now)
  expect(await list(bob, 'channel')).toEqual([
    { id: 'avatar', title: 'Avatar', bytes: now, until: null },
  ])
  expect((await remove(bob, 'channel', 'logo')).statusCode).toBe(404)
  expect((await remove(bob, 'channel', 'avatar')).statusCode).toBe(200)
  expect((await held(site, bob)).of('channel')).toBe(0)
})

test('each part can be deleted, by its member alone', async () => {
  await ask(owner, 'held.empty', { part: 'captions' })
  expect((await sendCaptions('English', 2 * KB)).statusCode).toBe(200)
  expect((await sendPoster(320)).statusCode).toBe(200)
  for (const [part, address] of [
    ['captions', undefined],
    ['posters', 'thumbnailUrl'],
    ['shares', 'shareUrl'],
  ] as const) {
    const before = await held(site, owner)
    const items = await list(owner, part)
    expect(items.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(before.of(part))
    for (const { id } of items) {
      expect((await remove(bob, part, id)).statusCode).toBe(404)
      expect((await remove(owner, part, id)).statusCode).toBe(200)
    }
    const now = await held(site, owner)
    expect(now.of(part)).toBe(0)
    expect(now.heldBytes).toBe(before.heldBytes - before.of(part))
    if (address && items.length > 0) expect((await rowOf(video))[address]).toBeNull()
  }
  expect(await ask(owner, 'held.empty', { part: 'captions' })).toEqual({
    ...{ deleted: 0, hasMore: false },
  })
})

test('what the member is shown is what the admins are shown', async () => {
  const admin = await site.addMember('admin', { isAdmin: true })
  const { items } = await ask<{ items: Member[] }>(admin, 'member.list', {})
  for (const member of [owner, bob, eve]) {
    const { heldBytes, parts } = await ask<Held>(member, 'held.get')
    expect(heldBytes).toBe(parts.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(items.find(({ id }) => id === member.id)?.storageBytes).toBe(heldBytes)
  }
  const { id } = await site.addMember('nobody')
  expect(await held(site, { id })).toMatchObject({ heldBytes: 0, plannedBytes: 0 })
})

longTest(
  'a video that is deleted frees what it took, for its owner and for the makers of clips',
  async () => {
    const clip = await clipOf(bob, 4)
    await isMade(clip.id)
    expect((await held(site, bob)).of('clips')).toBeGreaterThan(0)
    expect((await remove(bob, 'videos', video)).statusCode).toBe(404)
    expect((await remove(owner, 'videos', video)).statusCode).toBe(200)
    expect((await held(site, bob)).heldBytes).toBe(0)
    expect((await held(site, owner)).of('videos')).toBe(0)
  },
)
