import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { sampledChunks } from '#shared/sampled-chunks.ts'
import { makeClip } from '#test/support/clips.ts'
import { makePng } from '#test/support/png.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, initialize, multipart, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let bytes: Buffer

beforeAll(async () => {
  const path = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path, seconds: 2 })
  bytes = await readFile(path)
})

const DETAILS = {
  title: 'Last stand',
  description: 'Two against nine.',
  category: 'Rust',
  tags: ['ace'],
  isAnonymous: true,
}

const save = (as: TestMember, uploadId: string, metadata: object, was?: object) =>
  site.post('/trpc/upload.saveDetails', {
    as,
    payload: { uploadId, metadata, ...(was && { was }) },
  })

const ask = (name: string, as: TestMember, input?: object) =>
  site
    .call({
      as,
      method: 'GET',
      url: `/trpc/${name}${input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`,
    })
    .then((answer) => answer.json().result.data)

describe('what is said of an upload', () => {
  test('can be changed while its file is on its way, and is what the video has', async () => {
    const opened = await initialize({ site, as: ann }, { size: bytes.length, name: 'mandel.mp4' })
    const { uploadId } = opened.json<{ uploadId: string }>()
    expect((await save(ann, uploadId, DETAILS)).statusCode).toBe(200)
    const [listed] = await ask('upload.listOpen', ann)
    expect(listed).toMatchObject({ ...DETAILS, fileName: 'mandel.mp4', thumbnailUrl: null })
    await site.post('/api/uploads/chunk', {
      as: ann,
      ...multipart({ uploadId, chunkIndex: 0, totalChunks: 1, chunk: bytes }),
    })
    const { videoId } = (await complete({ site, as: ann }, { uploadId })).json()
    expect(await ask('video.get', ann, { id: videoId })).toMatchObject(DETAILS)
    expect((await save(ann, uploadId, DETAILS)).statusCode).toBe(409)
  })

  test('keeps what another tab changed meanwhile, and says what both changed', async () => {
    const as = await site.addMember('twice')
    const opened = await initialize({ site, as }, { size: bytes.length, name: 'twice.mp4' })
    const { uploadId } = opened.json<{ uploadId: string }>()
    const stored = async () => (await ask('upload.listOpen', as))[0]
    const was = { ...DETAILS, visibility: null }
    await save(as, uploadId, DETAILS)
    await save(as, uploadId, { ...DETAILS, title: 'Theirs', tags: [] }, was)
    const added = await save(as, uploadId, { ...DETAILS, description: 'More' }, was)
    expect(added.statusCode).toBe(200)
    const now = { ...DETAILS, title: 'Theirs', tags: [], description: 'More' }
    expect(await stored()).toMatchObject(now)
    const refused = await save(as, uploadId, { ...DETAILS, title: 'Mine', category: 'CS2' }, was)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.data.conflicts).toEqual([
      { field: 'title', mine: 'Mine', theirs: 'Theirs' },
    ])
    expect(await stored()).toMatchObject(now)
    await save(as, uploadId, DETAILS)
    expect(await stored()).toMatchObject(DETAILS)
  })

  test('names who played along, who are notified once there is a video', async () => {
    const [as, cleo, dan] = [
      await site.addMember('uploader'),
      await site.addMember('cleo'),
      await site.addMember('dan'),
    ]
    const opened = await initialize({ site, as }, { size: bytes.length })
    const { uploadId } = opened.json<{ uploadId: string }>()
    const participants = [dan.id, cleo.id, as.id, 4711]
    const named = { ...DETAILS, isAnonymous: false, participants }
    expect((await save(as, uploadId, named)).statusCode).toBe(200)
    const [listed] = await ask('upload.listOpen', as)
    const names = listed.participants.map(({ username }: { username: string }) => username)
    expect(names).toEqual(['cleo', 'dan', 'uploader'])
    await changeRows(site.db, 'users', {
      where: { id: dan.id },
      values: { bannedAt: '2026-01-01' },
    })
    await site.post('/api/uploads/chunk', {
      as,
      ...multipart({ uploadId, chunkIndex: 0, totalChunks: 1, chunk: bytes }),
    })
    const { videoId } = (await complete({ site, as }, { uploadId })).json()
    expect(await ask('participant.list', cleo, { id: videoId })).toMatchObject([{ id: cleo.id }])
    expect((await ask('notification.list', cleo, {})).items).toMatchObject([
      { videoId, title: `uploader says you played along in "${DETAILS.title}"` },
    ])
    const many = Array.from({ length: 11 }, (_, index) => index + 1)
    const refused = await save(as, uploadId, { ...DETAILS, participants: many })
    expect(refused.statusCode).toBe(400)
  })

  test('is listed with the picture that was sent for it', async () => {
    const as = await site.addMember('carl')
    const { uploadId } = (await initialize({ site, as }, { size: 5 })).json()
    const picture = await site.post('/api/uploads/thumbnail', {
      as,
      ...multipart({ uploadId, thumbnail: makePng(32, 18) }),
    })
    const [listed] = await ask('upload.listOpen', as)
    expect(listed.thumbnailUrl).toBe(picture.json().thumbnailUrl)
  })

  test('nobody else can change, and what breaks a rule changes nothing', async () => {
    const { uploadId } = (await initialize({ site, as: ann }, { size: 5 })).json()
    expect((await save(bob, uploadId, DETAILS)).statusCode).toBe(404)
    expect((await save(ann, uploadId, { ...DETAILS, title: 'ab' })).statusCode).toBe(400)
    expect((await save(ann, uploadId, { ...DETAILS, category: 'Chess' })).statusCode).toBe(400)
    const [listed] = await ask('upload.listOpen', ann)
    expect(listed.title).toBe('A clip')
  })
})

describe('a file that the site has', () => {
  const describeFile = (file: Buffer) => {
    const count = Math.ceil(file.length / UPLOAD_CHUNK_BYTES)
    const hashes = sampledChunks(count).map((index) => {
      const chunk = file.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)
      return createHash('sha256').update(chunk).digest('hex')
    })
    return { fileSize: file.length, hashes }
  }
  const findSame = (as: TestMember, ...files: object[]) => ask('upload.findSame', as, { files })

  test('is found by its bytes: public by everybody, anything else by its owner alone', async () => {
    const as = await site.addMember('dora')
    const path = join(site.dataFolder, 'own.mp4')
    // Three chunks, so that the first, the middle and the last are different ones.
    await makeClip({ path, seconds: 3 })
    const clip = Buffer.concat([await readFile(path), boxOf(randomBytes(2 * UPLOAD_CHUNK_BYTES))])
    const uploadId = await sendFile({ site, as }, { bytes: clip })
    const file = describeFile(clip)
    expect(file.hashes).toHaveLength(3)
    expect(await findSame(as, file)).toEqual([null])
    const { videoId } = (await complete({ site, as }, { uploadId })).json()
    const other = describeFile(Buffer.concat([clip.subarray(0, -1), Buffer.from('x')]))
    expect(await findSame(as, file, other)).toEqual([
      { videoId, title: 'A clip', isOwn: true },
      null,
    ])
    expect(await findSame(bob, file)).toEqual([{ videoId, title: 'A clip', isOwn: false }])

    const change = (fields: object) =>
      site.db.updateTable('videos').set(fields).where('id', '=', videoId).execute()
    for (const fields of [
      { contentApproved: 0 },
      { contentApproved: 1, processingState: 'processing' },
    ]) {
      await change(fields)
      expect(await findSame(bob, file)).toEqual([null])
      expect(await findSame(as, file)).toMatchObject([{ videoId, isOwn: true }])
    }
    await change({ processingState: 'deleting' })
    expect(await findSame(as, file)).toEqual([null])
  })
})

/** Bytes as a 'free' box: an MP4 may end with what no player reads. */
function boxOf(content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write('free', 4)
  return Buffer.concat([head, content])
}
