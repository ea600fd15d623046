import { randomBytes } from 'node:crypto'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { readConfig } from '#server/platform/config.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { chunkKey } from '#server/video/media/stored-chunks.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { Overview } from '#shared/schemas/desk/overview.schemas.ts'
import type { BackupSafety } from '#shared/schemas/desk/storage.schemas.ts'
import { startFaultProxy } from '#test/support/fault-proxy.ts'
import { longTest } from '#test/support/long-form.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { initialize } from '#test/support/upload-client.ts'

let bucket: Awaited<ReturnType<typeof startS3Server>>
let env: Record<string, string>
let site: TestSite
let ann: TestMember

beforeAll(async () => {
  bucket = await startS3Server()
  env = bucket.mediaVariables('videos')
  site = await openTestSite({ media: readConfig(env).media })
  ann = await site.addMember('ann')
})
afterAll(async () => {
  await site.close()
  await bucket.stop()
})

async function addStored(names: string[], fields: { title?: string } = {}) {
  const mediaKey = randomBytes(16).toString('hex')
  const url = (name: string) => `/media/${mediaKey}/${name}`
  await site.media.put(
    names.map((name) => ({ key: storeKey(mediaKey, name), bytes: Buffer.from(name) })),
  )
  const id = await site.addVideo(ann, { mediaKey, videoUrl: url('video.mp4'), ...fields })
  return { id, mediaKey }
}

/** As if all objects below a prefix had come two hours ago. */
async function age(prefix: string) {
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  const folder = join(bucket.directory, 'videos', prefix)
  for (const name of await readdir(folder)) await utimes(join(folder, name), longAgo, longAgo)
}

const deps = () => ({ ...site.deps, log: site.log })
const isThere = async (id: number) => {
  const answer = await site.get(`/api/videos/${id}`)
  return answer.json().videoFileExists
}
const doctor = (more: Record<string, string> = {}) =>
  runCommand('doctor', { dataFolder: site.dataFolder, env: { ...env, ...more } })

longTest(
  'a store elsewhere is compared with the rows: what is missing, what is nobody’s, and what is whole',
  async () => {
    const whole = await addStored(['video.mp4'])
    const gone = await addStored(['poster.jpg'], { title: 'Gone' })
    const orphan = randomBytes(16).toString('hex')
    await site.media.put([{ key: storeKey(orphan, 'video.mp4'), bytes: Buffer.from('x') }])
    const found = await doctor()
    expect(found).toMatchObject({ code: 1, err: '' })
    expect(found.out.split('\n').slice(0, 2)).toEqual([
      `missing: media/${gone.mediaKey}/video.mp4, the video file of video ${gone.id} "Gone"`,
      `orphaned: media/${orphan}`,
    ])

    await age(`media/${orphan}`)
    const suspects = await tidy(deps(), new Set())
    expect([await isThere(whole.id), await isThere(gone.id)]).toEqual([true, false])
    expect(await site.media.stat(storeKey(orphan, 'video.mp4'))).toBeDefined()
    await tidy(deps(), suspects)
    expect(await site.media.stat(storeKey(orphan, 'video.mp4'))).toBeUndefined()
    await site.db.deleteFrom('videos').where('id', '=', gone.id).execute()
    await site.media.removePrefix(storeKey(gone.mediaKey))
    expect(await doctor()).toMatchObject({ code: 0 })

    const deep = () => runCommand('doctor', { dataFolder: site.dataFolder, env, args: ['--deep'] })
    const file = { videoId: whole.id, name: 'video.mp4', kind: 'video', bytes: 9 } as const
    await site.db.insertInto('mediaFiles').values(file).execute()
    expect(await deep()).toMatchObject({ code: 0 })
    const key = storeKey(whole.mediaKey, 'video.mp4')
    await site.media.put([{ key, bytes: Buffer.from('video.mp5') }])
    const sentence = `damaged: ${key}, a video file of video ${whole.id} "A video", does not have the bytes that were put there`
    expect(await deep()).toMatchObject({ code: 1, out: expect.stringContaining(sentence) })
    await site.media.put([{ key, bytes: Buffer.from('video.mp4') }])
  },
)

test('chunks in the store are compared with those acknowledged, and strays go', async () => {
  const id = randomBytes(16).toString('hex')
  const [kept, lost, stray] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
  await addRows(site.db, 'uploads', {
    ...{ id, userId: ann.id, state: 'receiving', fileName: 'clip.mp4', mediaKey: `key-${id}` },
    ...{ fileSize: UPLOAD_CHUNK_BYTES + 5, chunkCount: 2, title: 'A clip', description: '' },
    ...{ category: 'Other', tags: '[]', isAnonymous: 0 },
    ...{ createdAt: timestamp(), touchedAt: timestamp() },
  })
  for (const [chunkIndex, hash] of [kept, lost].entries()) {
    await site.db.insertInto('uploadChunks').values({ uploadId: id, chunkIndex, hash }).execute()
  }
  await site.media.put([
    { key: chunkKey(id, 0, kept), bytes: Buffer.alloc(UPLOAD_CHUNK_BYTES) },
    { key: chunkKey(id, 1, stray), bytes: Buffer.alloc(5) },
    { key: `uploads/over/0-${'0'.repeat(16)}`, bytes: Buffer.alloc(5) },
  ])
  expect((await doctor()).out.split('\n').slice(0, 3)).toEqual([
    `orphaned: ${chunkKey(id, 1, stray)}`,
    'orphaned: uploads/over',
    `missing: ${chunkKey(id, 1, lost)}, a part of the file of the open upload "clip.mp4"`,
  ])
  await age(`uploads/${id}`)
  await age('uploads/over')
  await tidy(deps(), await tidy(deps(), new Set()))
  const left: string[] = []
  for await (const { key } of site.media.list('uploads/')) left.push(key)
  expect(left).toEqual([chunkKey(id, 0, kept)])
  await site.db.deleteFrom('uploads').execute()
})

test('what the store may hold is the limit of uploads and of the forecast', async () => {
  const { media } = readConfig({ ...env, MEDIA_STORE_BYTES: '1000' })
  const small = await openTestSite({ media })
  const admin = await small.addMember('admin', { isAdmin: true })
  await small.addVideo(admin, { storageBytes: 900 })
  const { storage, forecast } = await answerOf<Overview>(small, { as: admin, name: 'overview.get' })
  expect(storage.elsewhere).toEqual({
    ...{ store: 's3://clutch/videos', limit: 1000, copies: 0, problem: null },
  })
  expect(forecast).toEqual({ kind: 'unknown' })
  const answers = [
    await initialize({ site: small, as: admin }, { size: 101 }),
    await initialize({ site: small, as: admin }, { size: 100 }),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([507, 201])
  const safety = await answerOf<BackupSafety>(small, { as: admin, name: 'backup.safety' })
  expect(safety.mediaStore).toBe('s3://clutch/videos')
  await small.close()
  const own = await site.addMember('other', { isAdmin: true })
  const unlimited = await answerOf<Overview>(site, { as: own, name: 'overview.get' })
  expect(unlimited.forecast).toEqual({ kind: 'unlimited' })
})

test('the overview says what copies take, and that the store does not answer', async () => {
  const line = await startFaultProxy(bucket.endpoint)
  const { media } = readConfig(bucket.mediaVariables('overview', line.endpoint))
  const watched = await openTestSite({ media })
  const as = await watched.addMember('admin', { isAdmin: true })
  const read = async () =>
    (await answerOf<Overview>(watched, { as, name: 'overview.get' })).storage.elsewhere
  const path = join(watched.dataFolder, 'file')
  await writeFile(path, Buffer.alloc(1000))
  await watched.media.put([{ key: storeKey('a', 'file'), path }])
  expect(await read()).toMatchObject({ copies: 1000, problem: null })
  line.fail(503)
  await watched.media.stat(storeKey('a', 'file')).catch(() => {})
  expect((await read())?.problem).toMatch(/^The store of videos at .* does not answer/)
  await watched.close()
  await line.stop()
})

test('while the store does not answer nothing counts as missing, and the doctor says so', async () => {
  const { id } = await addStored(['video.mp4'])
  const answer = await doctor({ MEDIA_STORE: 's3://another/videos' })
  expect(answer).toMatchObject({ code: 1, out: '' })
  expect(answer.err).toMatch(/^The store of videos .*bucket 'another'/)
  const media = readConfig({ ...env, MEDIA_STORE: 's3://another/videos' }).media
  const refused = await openTestSite({ media })
  const owner = await refused.addMember('ann')
  const video = await refused.addVideo(owner, { videoUrl: '/media/k/video.mp4' })
  await expect(tidy({ ...refused.deps, log: site.log }, new Set())).rejects.toThrow(
    "bucket 'another'",
  )
  const rows = refused.db.selectFrom('videos').select('videoFileExists').where('id', '=', video)
  expect(await rows.executeTakeFirst()).toEqual({ videoFileExists: 1 })
  await refused.close()
  expect(await isThere(id)).toBe(true)
})
