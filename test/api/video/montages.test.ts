import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { parseChapters } from '#shared/chapters.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { ProcessingStatus, Video } from '#shared/schemas/video.schemas.ts'
import { makeClip, readClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored, localFile, partsOf } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite({ renditionHeights: [180], publicUrl: 'https://clips.example.org' })
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
/** Of bob's, who lets others make videos of it. */
let shared: number
let own: number
let clip: number

const { ask, call } = callsOf(site)
const start = (as: TestMember, input: object = {}) =>
  call(as, 'montage.start', { ...choice(), ...input })
const choice = () => ({
  title: 'Best of the week',
  items: [{ clipId: clip }, { videoId: own, fromSeconds: 1, toSeconds: 3.5 }],
  transition: 'fade',
  titleCard: true,
})

async function upload(as: TestMember, metadata: object): Promise<number> {
  const path = await makeClip({ path: join(site.dataFolder, 'clip.mp4'), seconds: 5 })
  const uploadId = await sendFile({ site, as }, { path, metadata })
  return (await complete({ site, as }, { uploadId })).json().videoId
}

const clipOf = async (as: TestMember, videoId: number, title: string) => {
  const range = { startSeconds: 0, endSeconds: 3 }
  return (await ask<Clip>(as, 'clip.create', { videoId, title, ...range })).id
}

const statusOf = (id: number) => ask<ProcessingStatus>(ann, 'video.processingStatus', { id })
const videoOf = (id: number) => ask<Video>(ann, 'video.get', { id })
const montages = () =>
  site.db.selectFrom('jobs').select('videoId').where('kind', '=', 'montage').execute()

beforeAll(async () => {
  own = await upload(ann, { title: 'My raid', category: 'CS2' })
  shared = await upload(bob, { title: 'Heli raid', category: 'Rust', tags: ['heli'] })
  await changeRows(site.db, 'videos', { where: { id: shared }, values: { allowsClipVideos: 1 } })
})
beforeEach(async () => {
  clip = await clipOf(bob, shared, 'The shot')
})

test('clips and stretches become one private video with credits, and the usual ladder', async () => {
  const started = await start(ann)
  expect(started.statusCode).toBe(200)
  const { videoId } = started.json().result.data
  expect(await statusOf(videoId)).toMatchObject({ processingState: 'processing', stage: 'waiting' })
  const again = await start(ann)
  expectRefused(again, 409, 'Your last montage is still being made. Wait, or cancel it.')

  await site.deps.jobs.start()
  await until(async () => (await statusOf(videoId)).ladder?.state === 'done')
  const video = await videoOf(videoId)
  expect(video).toMatchObject({
    ...{ title: 'Best of the week', visibility: 'private', category: 'Rust', tags: ['heli'] },
    ...{ processingState: 'ready', width: 320, height: 180, duration: 7 },
  })
  expect(video.description.split('\n')).toEqual([
    `0:00 The shot — by bob https://clips.example.org/clip/${clip}`,
    `0:04 My raid — by ann https://clips.example.org/v/${own}?t=1`,
  ])
  const chapters = parseChapters(video.description, video.duration)
  expect(chapters.map(({ title }) => title)).toEqual(['The shot — by bob', 'My raid — by ann'])
  expect(video.thumbnailUrl).not.toBeNull()
  const file = await localFile(site, ...partsOf(video.videoUrl ?? ''))
  expect((await readClip(file)).durationSeconds).toBeCloseTo(2.5 + 3 + 2.5 - 2 * 0.3, 1)
  expectRefused(
    await call(bob, 'video.get', { id: videoId }),
    404,
    'This video could not be found or is no longer available.',
  )
  expect(await site.db.selectFrom('montages').selectAll().execute()).toEqual([])
  expect(await readdir(site.disk.folders.work)).toEqual([])
  await site.deps.jobs.stop()
})

longTest('what went between the asking and its turn is named, and no file is left', async () => {
  const { videoId } = (await start(ann)).json().result.data
  await ask(bob, 'clip.delete', { id: clip })
  await site.deps.jobs.start()
  await until(async () => (await statusOf(videoId)).processingState === 'failed')
  const sentence = '“The shot” is gone. Export the others again without it.'
  expect(await statusOf(videoId)).toMatchObject({ processingError: sentence })
  expect(await readdir(site.disk.folders.work)).toEqual([])

  const missing = (
    await start(ann, { items: [{ videoId: own, fromSeconds: 0, toSeconds: 3 }] })
  ).json().result.data.videoId
  const { mediaKey } = await readRow(site.db, 'videos', { id: missing })
  await until(async () => (await statusOf(missing)).processingState === 'ready')
  await ask(ann, 'video.delete', { id: missing })
  await until(async () => (await listStored(site, mediaKey)).length === 0)
  await site.deps.jobs.stop()
})

longTest('a montage is cancelled while it waits, and taken up again', async () => {
  const { videoId } = (await start(ann, { titleCard: false })).json().result.data
  await ask(ann, 'video.cancelProcessing', { id: videoId })
  expect(await statusOf(videoId)).toMatchObject({ processingState: 'failed' })
  await ask(ann, 'video.retryProcessing', { id: videoId })
  await site.deps.jobs.start()
  await until(async () => (await statusOf(videoId)).processingState === 'ready')
  await site.deps.jobs.stop()
})

test('what may not or cannot be used is refused, and nothing changes', async () => {
  await ask(ann, 'video.cancelProcessing', { id: own }).catch(() => {})
  const before = [await montages(), await site.db.selectFrom('videos').select('id').execute()]
  const closed = await site.addVideo(bob, { title: 'Closed', videoUrl: '/x', duration: 60 })
  const hidden = await site.addVideo(bob, {
    ...{ title: 'Hidden', visibility: 'private', allowsClipVideos: 1, duration: 60 },
  })
  const long = await site.addVideo(ann, { title: 'Long', videoUrl: '/x', duration: 900 })
  const coming = await site.addVideo(ann, { title: 'Coming', processingState: 'processing' })
  const stretch = (videoId: number, fromSeconds = 0, toSeconds = 10) => ({
    ...{ videoId, fromSeconds, toSeconds },
  })
  const cases: [object, number, string | RegExp][] = [
    [{ items: [] }, 400, 'Choose at least one clip.'],
    [
      { items: Array.from({ length: 51 }, () => stretch(long)) },
      400,
      'A montage has at most 50 clips.',
    ],
    [{ title: 'x' }, 400, 'Title must be at least 3 characters'],
    [
      { items: [{ clipId: clip }, { clipId: 99_999 }] },
      404,
      'Number 2 of the list (clip 99999) is gone. Leave it out.',
    ],
    [
      { items: [stretch(hidden)] },
      404,
      `Number 1 of the list (video ${hidden}) is gone. Leave it out.`,
    ],
    [
      { items: [stretch(closed)] },
      403,
      'The owner of “Closed” does not allow others to make videos of it.',
    ],
    [{ items: [stretch(coming)] }, 409, '“Coming” does not play yet. Export it when it does.'],
    [{ items: [stretch(long, 5, 4)] }, 400, '“Long” ends before it begins.'],
    [{ items: [stretch(long, -1, 4)] }, 400, 'items.fromSeconds must not be negative.'],
    [{ items: [stretch(long, 895, 905)] }, 400, '“Long” goes beyond the end of its video.'],
    [{ items: [stretch(long, 5, 6)] }, 400, '“Long” is shorter than 2 seconds.'],
    [
      { items: [stretch(long, 0, 600)] },
      400,
      'A montage lasts 10 minutes at most. Leave some out.',
    ],
  ]
  for (const [input, status, sentence] of cases) {
    expectRefused(await start(ann, input), status, `${sentence}`)
  }
  const { freeBytes } = site.disk
  site.disk.freeBytes = async () => 1_000_000
  const full = await start(ann, { items: [stretch(long, 0, 500)] })
  site.disk.freeBytes = freeBytes
  expectRefused(full, 507, 'The server has no room left for a file of this size.')
  const added = new Set([closed, hidden, long, coming])
  const videos = await site.db.selectFrom('videos').select('id').execute()
  expect([await montages(), videos.filter(({ id }) => !added.has(id))]).toEqual(before)
})
