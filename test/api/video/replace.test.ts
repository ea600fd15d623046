import { beforeAll, expect, test } from 'vitest'
import { finishDeletion } from '#server/video/video/video-deletion.ts'
import type { Playback } from '#shared/schemas/video.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'
import { complete, initialize, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ask } = callsOf(site)
const { owner, member } = setUpFileMembers(site, ['owner', 'member'])
const admin = setUpAdmin(site)
let short: string
let long: string

beforeAll(async () => {
  short = `${site.dataFolder}/short.mp4`
  long = `${site.dataFolder}/long.mp4`
  const say = (words: string) => [
    { codec: 'mov_text' as const, cues: [{ fromSeconds: 0, seconds: 1, words }] },
  ]
  await makeClip({ path: short, seconds: 1, texts: say('Old') })
  await makeClip({ path: long, seconds: 3, texts: say('New') })
})

async function upload(path: string, file: { name?: string; replacesVideoId?: number } = {}) {
  const uploadId = await sendFile({ site, as: owner }, { path, ...file })
  return (await complete({ site, as: owner }, { uploadId })).json().videoId as number
}
const read = async (id: number, as = member) => (await site.get(`/api/videos/${id}`, { as })).json()
const keyOf = async (id: number) => {
  const { mediaKey } = await readRow(site.db, 'videos', { id })
  return mediaKey
}

test('a new recording stands at the old address, with its comments, and the old one goes', async () => {
  const id = await upload(short)
  const before = await read(id)
  const oldKey = await keyOf(id)
  const comment = { videoId: id, content: 'Well played' }
  await site.post('/api/comments', { payload: comment, as: member })

  expect(await upload(long, { replacesVideoId: id })).toBe(id)
  const after = await read(id)
  expect(after).toMatchObject({ id, title: before.title, duration: 3, visibility: 'public' })
  expect(after.videoUrl).not.toBe(before.videoUrl)
  expect((await site.get(before.videoUrl)).statusCode).toBe(404)
  expect((await site.get(after.videoUrl)).statusCode).toBe(200)
  const comments = await site.get(`/api/videos/${id}/comments`)
  expect(comments.body).toContain('Well played')
  const input = { id }
  const { captions } = await ask<Playback>(undefined, 'video.playback', input)
  const said = captions.map(({ url }) => site.get(url))
  expect((await Promise.all(said)).map(({ body }) => body.split('\n').at(-2))).toEqual(['New'])
  const jobs = await site.db.selectFrom('jobs').select(['videoId', 'kind']).execute()
  expect(jobs).toEqual([{ videoId: id, kind: 'ladder' }])

  const [gone] = await site.db
    .selectFrom('videos')
    .select('id')
    .where('processingState', '=', 'deleting')
    .execute()
  await finishDeletion(site.deps, gone?.id ?? 0)
  expect(await listStored(site, oldKey)).toEqual([])
  expect(await listStored(site, await keyOf(id))).not.toEqual([])
  const { bytes } = await readRow(site.db, 'storageTotals', { kind: 'all' })
  const { storageBytes } = await readRow(site.db, 'videos', { id })
  expect(bytes).toBe(storageBytes)
})

longTest('the old recording plays until the new one does', async () => {
  const id = await upload(short)
  const { videoUrl } = await read(id)
  const avi = `${site.dataFolder}/clip.avi`
  const codecs = { videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  await makeClip({ path: avi, container: 'avi', ...codecs, seconds: 2 })
  const other = await upload(avi, { name: 'clip.avi', replacesVideoId: id })
  expect(other).not.toBe(id)
  expect((await read(id)).videoUrl).toBe(videoUrl)
  expect(await read(other, owner)).toMatchObject({ processingState: 'processing' })
  expect((await site.get(`/api/videos/${other}`, { as: member })).statusCode).toBe(404)
  await site.deps.jobs.start()
  await until(async () => (await read(id)).videoUrl !== videoUrl)
  expect(await read(id)).toMatchObject({ duration: 2, processingState: 'ready' })
})

test('where uploads are approved, a new recording is too', async () => {
  const id = await upload(short)
  await site.db.updateTable('siteSettings').set({ uploadsNeedApproval: 1 }).execute()
  const { videoUrl } = await read(id)
  const other = await upload(long, { replacesVideoId: id })
  expect((await read(id)).videoUrl).toBe(videoUrl)
  const url = '/trpc/moderation.approve'
  const answer = await site.post(url, { payload: { id: other }, as: admin })
  expect(answer.statusCode).toBe(200)
  expect(await read(id)).toMatchObject({ duration: 3 })
  await site.db.updateTable('siteSettings').set({ uploadsNeedApproval: 0 }).execute()
})

test('a new recording for a video that is deleted meanwhile is shown to nobody else', async () => {
  const id = await upload(short)
  const uploadId = await sendFile({ site, as: owner }, { path: long, replacesVideoId: id })
  await site.delete(`/api/videos/${id}`, { as: owner })
  const { videoId } = (await complete({ site, as: owner }, { uploadId })).json()
  expect(await read(videoId, owner)).toMatchObject({ visibility: 'private', duration: 3 })
  const answer = await site.get(`/api/videos/${videoId}`, { as: member })
  expect(answer.statusCode).toBe(404)
})

test("nobody replaces another member's recording", async () => {
  const id = await upload(short)
  const answers = await Promise.all(
    [member, admin].map((as) => initialize({ site, as }, { size: 10, replacesVideoId: id })),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  const none = await initialize({ site, as: owner }, { size: 10, replacesVideoId: 999_999 })
  expect(none.statusCode).toBe(404)
})
