import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '#server/platform/db/database.ts'
import { findUpload } from '#server/video/upload/upload.queries.ts'
import { completeUpload } from '#server/video/upload/upload-completion.ts'
import { publishUpload } from '#server/video/upload/upload-publishing.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { makeClip } from '#test/support/clips.ts'
import { askAt, register } from '#test/support/several-nodes.ts'
import { openNodes } from '#test/support/site-nodes.ts'
import { openTestNodes } from '#test/support/test-nodes.ts'
import { multipart, sendFile } from '#test/support/upload-client.ts'

const CHUNKS = 3

/** A recording that is to be prepared, and so stays as it came until somebody does. */
async function makeRecording(folder: string): Promise<Buffer> {
  const path = join(folder, 'recording.avi')
  await makeClip({ path, seconds: 1, container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' })
  const clip = await readFile(path)
  return Buffer.concat([clip, randomBytes(UPLOAD_CHUNK_BYTES * CHUNKS - clip.length)])
}

test('an upload of which a node has some chunks, and that another one had stored before it died, stays whole', async () => {
  const nodes = await openNodes()
  onTestFinished(() => nodes.close())
  const dying = await nodes.start({
    env: { PROCESSING_JOBS: '0', CLUTCH_STOP_AT: 'complete.moved' },
  })
  const { origin } = await nodes.start({ env: { PROCESSING_JOBS: '0' } })
  const as = await register(origin, 'ann')
  const bytes = await makeRecording(nodes.folder)
  const post = (
    to: string,
    path: string,
    sent: { body: string | Buffer; headers: Record<string, string> },
  ) => askAt(to, { as, method: 'POST', url: `/api/uploads/${path}`, ...sent })
  const json = (body: object) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const file = { fileName: 'clip.avi', fileSize: bytes.length, fileType: 'video/avi' }
  const opened = await post(origin, 'initialize', json({ ...file, metadata: { title: 'Whole' } }))
  const { uploadId } = JSON.parse(opened.text)
  for (let chunkIndex = 0; chunkIndex < CHUNKS; chunkIndex++) {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const chunk = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    const form = multipart({ uploadId, chunkIndex, totalChunks: CHUNKS, chunk })
    const to = chunkIndex === 0 ? origin : dying.origin
    const sent = await post(to, 'chunk', { body: form.payload, headers: form.headers })
    expect(sent.status).toBe(200)
  }
  await expect(post(dying.origin, 'complete', json({ uploadId }))).rejects.toThrow()
  expect((await post(origin, 'complete', json({ uploadId }))).status).toBe(200)
  const stored = await listStored(nodes.storeFolder)
  expect(stored.map((content) => content.equals(bytes))).toEqual([true])
})

/** Two nodes, and an upload whose chunks one of them has. `finish` completes it there and calls `meanwhile` after its files are stored. */
async function openSent() {
  const nodes = await openTestNodes({ processingJobs: 0 })
  onTestFinished(() => nodes.close())
  const { one } = nodes
  const ann = await one.addMember('ann')
  const path = await makeClip({ path: join(one.dataFolder, 'clip.mp4'), seconds: 1 })
  const uploadId = await sendFile({ site: one, as: ann }, { path })
  const finish = (meanwhile: () => Promise<unknown>) => {
    const put: typeof one.media.put = async (files) => {
      await one.media.put(files)
      await meanwhile()
    }
    const viewer = { ...ann, displayName: 'Ann', isAdmin: false }
    const deps = { ...one.deps, media: { ...one.media, put } }
    return completeUpload(deps, { uploadId, viewer })
  }
  return { nodes, one, ann, uploadId, finish }
}

test('who loses the lock of an upload while finishing it answers with the video that another node made', async () => {
  const { nodes, one, ann, uploadId, finish } = await openSent()
  let made: number | undefined
  const publishElsewhere = async () => {
    const upload = await findUpload(one.db, { id: uploadId, userId: ann.id })
    if (!upload?.prepared) throw new Error('It is not prepared.')
    const prepared = JSON.parse(upload.prepared)
    const published = await inTransaction(nodes.other.db, (transaction) =>
      publishUpload(transaction, { upload, prepared, files: [] }),
    )
    made = published.videoId
  }
  expect(await finish(publishElsewhere)).toBe(made)
})

test('an upload that another node ended while this one finished it is not published', async () => {
  const { nodes, one, finish } = await openSent()
  const endElsewhere = () =>
    nodes.other.db.updateTable('uploads').set({ state: 'expired' }).execute()
  await expect(finish(endElsewhere)).rejects.toThrow()
  expect(await one.db.selectFrom('videos').select('id').execute()).toEqual([])
})

/** The recordings in the store, which are large. */
async function listStored(folder: string): Promise<Buffer[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  const contents = await Promise.all(
    files.map((file) => readFile(join(file.parentPath, file.name))),
  )
  return contents.filter((content) => content.length >= UPLOAD_CHUNK_BYTES)
}
