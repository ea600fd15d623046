import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { makeClip } from '#test/support/clips.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { until } from '#test/support/until.ts'

let server: ServerProcess
let cookie: string
let clip: Buffer

beforeAll(async () => {
  server = await startServer()
  const account = {
    username: 'ann',
    email: 'ann@example.org',
    displayName: 'Ann',
    password: 'correct horse',
  }
  const registered = await send('/api/register', account)
  cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const path = join(server.dataFolder, 'clip.mp4')
  await makeClip({ path, seconds: 2 })
  // Bytes that FFmpeg ignores make the clip three chunks long.
  const padding = Buffer.alloc(UPLOAD_CHUNK_BYTES * 2 + 1000)
  padding.writeUInt32BE(padding.length, 0)
  padding.write('free', 4, 'latin1')
  clip = Buffer.concat([await readFile(path), padding])
})
afterAll(() => server.remove())

const send = (path: string, body: object) =>
  fetch(server.origin + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie: cookie ?? '' },
  })

const sendChunk = (uploadId: string, index: number) => {
  const form = new FormData()
  const totalChunks = Math.ceil(clip.length / UPLOAD_CHUNK_BYTES)
  form.set('uploadId', uploadId)
  form.set('chunkIndex', String(index))
  form.set('totalChunks', String(totalChunks))
  const part = clip.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)
  form.set('chunk', new Blob([new Uint8Array(part)]))
  return fetch(`${server.origin}/api/uploads/chunk`, {
    method: 'POST',
    body: form,
    headers: { cookie },
  })
}

const initialize = (resumeUploadId?: string) =>
  send('/api/uploads/initialize', {
    fileName: 'clip.mp4',
    fileSize: clip.length,
    fileType: 'video/mp4',
    metadata: { title: 'Survivor' },
    resumeUploadId,
  })

const restart = async (signal: NodeJS.Signals, failpoint?: string) => {
  await server.stop(signal)
  const { dataFolder, port } = server
  server = await startServer({
    dataFolder,
    port,
    env: failpoint ? { CLUTCH_STOP_AT: failpoint } : {},
  })
}

test('an upload goes on where it was after the server is killed', async () => {
  const { uploadId } = (await (await initialize()).json()) as { uploadId: string }
  expect((await sendChunk(uploadId, 0)).status).toBe(200)
  expect((await sendChunk(uploadId, 1)).status).toBe(200)
  await restart('SIGKILL')
  const resumed = await initialize(uploadId)
  expect(resumed.status).toBe(200)
  expect(await resumed.json()).toMatchObject({ uploadId, received: [0, 1] })
  expect((await sendChunk(uploadId, 2)).status).toBe(200)
  const completed = await send('/api/uploads/complete', { uploadId, thumbnailUrl: null })
  expect(completed.status).toBe(200)
  const { videoId } = (await completed.json()) as { videoId: number }
  await restart('SIGKILL')
  const again = await send('/api/uploads/complete', { uploadId, thumbnailUrl: null })
  expect(await again.json()).toEqual({ videoId })
})

test('an upload whose completion is cut off by a kill becomes one video', async () => {
  await restart('SIGTERM', 'complete.prepared')
  const { uploadId } = (await (await initialize()).json()) as { uploadId: string }
  for (const index of [0, 1, 2]) await sendChunk(uploadId, index)
  await expect(send('/api/uploads/complete', { uploadId })).rejects.toThrow()
  await restart('SIGKILL')
  const completed = await send('/api/uploads/complete', { uploadId })
  expect(completed.status).toBe(200)
  const { videoId } = (await completed.json()) as { videoId: number }
  await until(async () => (await fetch(`${server.origin}/api/videos/${videoId}`)).ok)
})

test('an upload whose preparation the system kills is not lost', async () => {
  await restart('SIGTERM', 'child.prepare')
  const { uploadId } = (await (await initialize()).json()) as { uploadId: string }
  for (const index of [0, 1, 2]) await sendChunk(uploadId, index)
  const killed = await send('/api/uploads/complete', { uploadId })
  expect(killed.status).toBe(503)
  expect(await killed.text()).toContain('perhaps for want of memory. Please try again in a moment.')
  expect((await send('/api/uploads/complete', { uploadId })).status).toBe(200)
})

test('a completion under way when the server is sent to stop is still answered', async () => {
  const { uploadId } = (await (await initialize()).json()) as { uploadId: string }
  for (const index of [0, 1, 2]) await sendChunk(uploadId, index)
  const completing = send('/api/uploads/complete', { uploadId })
  await until(async () => (await listMediaProcesses(server.pid)).length > 0)
  const exitCode = server.stop('SIGTERM')
  const completed = await completing
  expect(completed.status).toBe(200)
  expect(await exitCode).toBe(0)
})
