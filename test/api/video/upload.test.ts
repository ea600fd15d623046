import { randomBytes } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { listVideosByKey } from '#server/video/video/video-rows.queries.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { makeClip } from '#test/support/clips.ts'
import { makePng } from '#test/support/png.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { addVideos } from '#test/support/site-rows.ts'
import {
  listStored,
  listStoredKeys,
  partsOf,
  removeStored,
  storedPath,
  storedRoot,
  storeFiles,
} from '#test/support/stored-files.ts'
import { openTestSite } from '#test/support/test-site.ts'
import {
  complete,
  initialize,
  multipart,
  sendChunk,
  sendFile,
} from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let clipPath: string

beforeAll(async () => {
  clipPath = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path: clipPath, seconds: 2 })
})

/** What is there of uploads, on this machine and in the store. */
const listUploads = async () => [
  ...(await readdir(site.disk.folders.uploads)),
  ...(await listStoredKeys(site, 'uploads')),
]

/** A member of one's own for each test, since three open uploads are the limit. */
const member = () => site.addMember(`member-${randomBytes(4).toString('hex')}`)

describe('initialize', () => {
  test('answers 201 with the chunk size and nothing received', async () => {
    const answer = await initialize({ site, as: ann }, { size: 10 })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ chunkSize: UPLOAD_CHUNK_BYTES, received: [] })
    expect(answer.json().uploadId).toMatch(/^[0-9a-f]{32}$/)
  })

  test('needs a session before it looks at anything', async () => {
    const answer = await site.post('/api/uploads/initialize', { payload: '{' })
    expect(answer.statusCode).toBe(415)
    const signedOut = await site.post('/api/uploads/initialize', {
      payload: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(signedOut.statusCode).toBe(401)
  })

  test.each([
    [{ size: 0 }, 400, 'The file is empty.'],
    [{ size: 1.5 }, 400, 'fileSize must be a whole number of bytes.'],
    [{ size: 524_288_001 }, 413, 'The file is larger than 500MB.'],
    [{ size: 5, metadata: { title: ' a ' } }, 400, 'Title must be at least 3 characters'],
    [
      { size: 5, metadata: { title: 'x'.repeat(101) } },
      400,
      'Title must be at most 100 characters',
    ],
    [{ size: 5, metadata: { category: 'Chess' } }, 400, 'metadata.category is not one of'],
    [{ size: 5, metadata: { tags: ['x'] } }, 400, 'Each tag must be 2 to 30 characters.'],
    [{ size: 5, name: ' ' }, 400, 'File name must be'],
  ])('refuses %o', async (file, status, sentence) => {
    const answer = await initialize({ site, as: bob }, file)
    expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(sentence)])
  })

  test('ignores metadata.userId, which the documented client sends', async () => {
    const as = await member()
    const answer = await initialize({ site, as }, { size: 5, metadata: { userId: 1 } })
    expect(answer.statusCode).toBe(201)
  })

  test('allows three open uploads and frees a place when one is cancelled', async () => {
    const as = await member()
    const open = () => initialize({ site, as }, { size: 5 })
    const first = await open()
    await open()
    await open()
    const fourth = await open()
    expect(fourth.statusCode).toBe(429)
    expect(fourth.headers['retry-after']).toBeDefined()
    await site.post('/trpc/upload.cancel', { as, payload: { uploadId: first.json().uploadId } })
    expect((await open()).statusCode).toBe(201)
  })

  test('refuses what would take a member over the quota', async () => {
    const small = await openTestSite({ userQuotaBytes: 1000 })
    const as = await small.addMember('carl')
    expect((await initialize({ site: small, as }, { size: 600 })).statusCode).toBe(201)
    const answer = await initialize({ site: small, as }, { size: 600 })
    expect([answer.statusCode, answer.body]).toEqual([413, expect.stringContaining('quota')])
    await small.close()
  })
})

describe('chunks', () => {
  const bytes = randomBytes(UPLOAD_CHUNK_BYTES + 100)
  const chunk = (index: number) =>
    bytes.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)

  test('are stored in any order, and the same again is fine', async () => {
    const as = await member()
    const { uploadId } = (await initialize({ site, as }, { size: bytes.length })).json()
    const send = (chunkIndex: number, part = chunk(chunkIndex)) =>
      sendChunk({ site, as }, { uploadId, chunkIndex, totalChunks: 2, bytes: part })
    expect((await send(1)).statusCode).toBe(200)
    expect((await send(0)).statusCode).toBe(200)
    expect((await send(1)).statusCode).toBe(200)
    const other = await send(1, Buffer.from(chunk(1)).fill(7))
    expect([other.statusCode, other.body]).toEqual([409, expect.stringContaining('other bytes')])
  })

  test('of a wrong index, total or length are refused', async () => {
    const as = await member()
    const { uploadId } = (await initialize({ site, as }, { size: bytes.length })).json()
    const status = async (chunkIndex: number, totalChunks: number, part: Buffer) =>
      (await sendChunk({ site, as }, { uploadId, chunkIndex, totalChunks, bytes: part })).statusCode
    expect(await status(2, 2, chunk(1))).toBe(400)
    expect(await status(-1, 2, chunk(1))).toBe(400)
    expect(await status(0, 3, chunk(0))).toBe(400)
    expect(await status(0, 2, chunk(1))).toBe(400)
    expect(await status(1, 2, Buffer.alloc(0))).toBe(400)
    expect(await status(0, 2, Buffer.alloc(UPLOAD_CHUNK_BYTES + 1))).toBe(413)
  })

  test('of an unknown upload, or of another member, are not found', async () => {
    const as = await member()
    const { uploadId } = (await initialize({ site, as }, { size: 5 })).json()
    const part = { chunkIndex: 0, totalChunks: 1, bytes: Buffer.from('12345') }
    const foreign = await sendChunk({ site, as: bob }, { uploadId, ...part })
    expect(foreign.statusCode).toBe(404)
    const unknown = await sendChunk({ site, as }, { uploadId: '0'.repeat(32), ...part })
    expect(unknown.statusCode).toBe(404)
  })

  test('must be multipart, and need a session', async () => {
    const json = await site.post('/api/uploads/chunk', {
      as: ann,
      payload: { uploadId: '0'.repeat(32) },
    })
    expect(json.statusCode).toBe(415)
    const visitor = await site.post('/api/uploads/chunk', {
      ...multipart({ uploadId: 'x', chunk: Buffer.from('x') }),
    })
    expect(visitor.statusCode).toBe(401)
  })

  test('that arrived are named when the upload is resumed', async () => {
    const as = await member()
    const file = { size: bytes.length, name: 'match.mp4' }
    const { uploadId } = (await initialize({ site, as }, file)).json()
    await sendChunk({ site, as }, { uploadId, chunkIndex: 1, totalChunks: 2, bytes: chunk(1) })
    const resumed = await initialize({ site, as }, { ...file, resumeUploadId: uploadId })
    expect([resumed.statusCode, resumed.json()]).toEqual([
      200,
      expect.objectContaining({ uploadId, received: [1] }),
    ])
    const foreign = await initialize({ site, as: bob }, { ...file, resumeUploadId: uploadId })
    expect(foreign.json().uploadId).not.toBe(uploadId)
    const otherFile = await initialize({ site, as }, { size: 9, resumeUploadId: uploadId })
    expect(otherFile.json().uploadId).not.toBe(uploadId)
  })
})

describe('complete', () => {
  test('turns an H.264 and AAC MP4 into a video that plays at once', async () => {
    const as = await member()
    const metadata = { title: 'Ace on Mirage', category: 'CS2', tags: ['ace', 'Ace', 'mirage'] }
    const uploadId = await sendFile({ site, as }, { path: clipPath, metadata })
    const answer = await complete({ site, as }, { uploadId, thumbnailUrl: null })
    expect(answer.statusCode).toBe(200)
    const { videoId } = answer.json()
    const video = (await site.get(`/api/videos/${videoId}`)).json()
    expect(video).toMatchObject({
      title: 'Ace on Mirage',
      category: 'CS2',
      tags: ['Ace', 'mirage'],
      processingState: 'ready',
      duration: 2,
      contentScanned: true,
      channel: { id: as.id },
    })
    const bytes = await site.get(video.videoUrl)
    expect(bytes.headers['content-type']).toBe('video/mp4')
    expect(bytes.rawPayload.indexOf('moov')).toBeLessThan(bytes.rawPayload.indexOf('mdat'))
    const poster = await site.get(video.thumbnailUrl)
    expect(poster.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect(await listUploads()).not.toContain(uploadId)
  })

  test('answers the same video however often and however parallel it is called', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => complete({ site, as }, { uploadId })),
    )
    const again = await complete({ site, as }, { uploadId })
    const ids = new Set([...answers, again].map((answer) => answer.json().videoId))
    expect(ids.size).toBe(1)
    const rows = await site.db
      .selectFrom('videos')
      .select('id')
      .where('userId', '=', as.id)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('names the chunks that are missing, counted from 0', async () => {
    const as = await member()
    const size = 4 * UPLOAD_CHUNK_BYTES
    const { uploadId } = (await initialize({ site, as }, { size })).json()
    for (const chunkIndex of [0, 2]) {
      const bytes = Buffer.alloc(UPLOAD_CHUNK_BYTES)
      await sendChunk({ site, as }, { uploadId, chunkIndex, totalChunks: 4, bytes })
    }
    const answer = await complete({ site, as }, { uploadId })
    expect([answer.statusCode, answer.body]).toEqual([409, 'Missing chunks: 1, 3'])
  })

  test('refuses junk with a sentence, and says the same when asked again', async () => {
    const as = await member()
    const bytes = Buffer.from('This is not a video at all. '.repeat(200))
    const uploadId = await sendFile({ site, as }, { bytes })
    const answer = await complete({ site, as }, { uploadId })
    expect(answer.statusCode).toBe(422)
    expect(answer.body).toMatch(/^[A-Z].*\.$/)
    const again = await complete({ site, as }, { uploadId })
    expect([again.statusCode, again.body]).toEqual([422, answer.body])
    expect(await listUploads()).not.toContain(uploadId)
  })

  test('takes the thumbnail that was issued last, and keeps no other', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    const send = async (thumbnail: Buffer) => {
      const form = multipart({ uploadId, thumbnail })
      const sent = await site.post('/api/uploads/thumbnail', { as, ...form })
      return sent.json().thumbnailUrl as string
    }
    const replaced = await send(makePng(160, 90))
    const thumbnailUrl = await send(makePng(320, 180))
    const refused = await complete({ site, as }, { uploadId, thumbnailUrl: replaced })
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('not issued')])
    const { videoId } = (await complete({ site, as }, { uploadId, thumbnailUrl })).json()
    const video = (await site.get(`/api/videos/${videoId}`)).json()
    expect(video.thumbnailUrl).toBe(thumbnailUrl)
    const names = await listStored(site, partsOf(thumbnailUrl)[0])
    expect(names).toEqual([partsOf(thumbnailUrl)[1], expect.stringMatching(/^video-\w+\.mp4$/)])
  })

  test('refuses a thumbnail that was not issued for this upload', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    const thumbnailUrl = '/media/00000000000000000000000000000000/thumbnail.jpg'
    expect((await complete({ site, as }, { uploadId, thumbnailUrl })).statusCode).toBe(400)
  })

  test('of an expired upload is gone', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    const touchedAt = new Date(Date.now() - 25 * 3_600_000).toISOString()
    await site.db.updateTable('uploads').set({ touchedAt }).where('id', '=', uploadId).execute()
    // A clock that jumped ahead makes an upload look idle: only the second look counts.
    const suspects = await tidy({ ...site.deps, log: site.log }, new Set())
    expect(await listUploads()).toContain(uploadId)
    await tidy({ ...site.deps, log: site.log }, suspects)
    expect((await complete({ site, as }, { uploadId })).statusCode).toBe(410)
    expect(await listUploads()).not.toContain(uploadId)
  })

  test('that a crash cut off after the files were moved is finished by the next call', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    const { videoId } = (await complete({ site, as }, { uploadId })).json()
    const before = (await site.get(`/api/videos/${videoId}`)).json()
    // As it was before the last transaction: files moved, no video yet.
    await site.db.deleteFrom('videos').where('id', '=', videoId).execute()
    const prepared = JSON.stringify({
      videoFile: partsOf(before.videoUrl)[1],
      posterFile: partsOf(before.thumbnailUrl)[1],
      duration: 2,
      width: 320,
      height: 180,
      storageBytes: 1,
    })
    await changeRows(site.db, 'uploads', {
      where: { id: uploadId },
      values: { state: 'finalizing', prepared },
    })
    const answer = await complete({ site, as }, { uploadId })
    expect(answer.statusCode).toBe(200)
    const video = await site.get(`/api/videos/${answer.json().videoId}`)
    expect(video.json().videoUrl).toBe(before.videoUrl)
  })

  test('that a crash cut off before the files were moved is finished too', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    await changeRows(site.db, 'uploads', {
      where: { id: uploadId },
      values: { state: 'finalizing' },
    })
    expect((await complete({ site, as }, { uploadId })).statusCode).toBe(200)
  })
})

describe('thumbnail', () => {
  test('is decoded, rewritten and used by the video', async () => {
    const as = await member()
    const uploadId = await sendFile({ site, as }, { path: clipPath })
    const answer = await site.post('/api/uploads/thumbnail', {
      as,
      ...multipart({ uploadId, thumbnail: makePng(640, 360) }),
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        thumbnailUrl: expect.stringMatching(/^\/media\/[0-9a-f]{32}\/thumbnail-[0-9a-f]{12}\.jpg$/),
      },
    ])
    const { thumbnailUrl } = answer.json()
    const { videoId } = (await complete({ site, as }, { uploadId, thumbnailUrl })).json()
    const video = (await site.get(`/api/videos/${videoId}`)).json()
    expect(video.thumbnailUrl).toBe(thumbnailUrl)
    expect((await site.get(thumbnailUrl)).statusCode).toBe(200)
  })

  test('that is no PNG or JPEG by its bytes is a 415, a broken one a 422, a large one a 413', async () => {
    const as = await member()
    const { uploadId } = (await initialize({ site, as }, { size: 5 })).json()
    const send = (thumbnail: Buffer) =>
      site.post('/api/uploads/thumbnail', { as, ...multipart({ uploadId, thumbnail }) })
    expect((await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).statusCode).toBe(
      415,
    )
    const broken = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(500)])
    expect((await send(broken)).statusCode).toBe(422)
    expect((await send(Buffer.alloc(2_097_153, 1))).statusCode).toBe(413)
  })
})

test('a folder without a row goes only when two rounds of tidying saw it', async () => {
  const orphan = storedPath(site, 'f'.repeat(32))
  await mkdir(orphan)
  const old = new Date(Date.now() - 2 * 3_600_000)
  await writeFile(join(orphan, 'video.mp4'), 'x')
  await utimes(join(orphan, 'video.mp4'), old, old)
  const deps = { ...site.deps, log: site.log }
  const suspects = await tidy(deps, new Set())
  expect(await readdir(storedRoot(site))).toContain('f'.repeat(32))
  await tidy(deps, suspects)
  expect(await readdir(storedRoot(site))).not.toContain('f'.repeat(32))
})

test('a video whose file is missing says so', async () => {
  const as = await member()
  const uploadId = await sendFile({ site, as }, { path: clipPath })
  const { videoId } = (await complete({ site, as }, { uploadId })).json()
  const get = async () => (await site.get(`/api/videos/${videoId}`)).json()
  const [mediaKey, name] = partsOf((await get()).videoUrl)
  await removeStored(site, mediaKey, name)
  await tidy({ ...site.deps, log: site.log }, new Set())
  expect((await get()).videoFileExists).toBe(false)
  await storeFiles(site, mediaKey, { [name]: 'It is there again.' })
  await tidy({ ...site.deps, log: site.log }, new Set())
  expect((await get()).videoFileExists).toBe(true)
})

test('a missing file is noticed behind more videos without one than are looked at together', async () => {
  const as = await member()
  const rows = Array.from({ length: 510 }, () => ({ userId: as.id, title: 'No file' }))
  await addVideos(site.db, rows)
  // No statement reads on until it has met so many with a file.
  const next = await listVideosByKey(site.db, { afterKey: '', limit: 3 })
  expect(next).toHaveLength(3)
  const videoUrl = `/media/${'f'.repeat(32)}/video.mp4`
  const last = { userId: as.id, title: 'Gone', videoUrl, mediaKey: 'f'.repeat(32) }
  const [id = 0] = await addVideos(site.db, [{ ...last, videoFileExists: 1 }])
  await tidy({ ...site.deps, log: site.log }, new Set())
  const gone = await site.get(`/api/videos/${id}`)
  expect(gone.json().videoFileExists).toBe(false)
})
