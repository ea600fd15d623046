import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { followEvents } from '#test/support/event-stream.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { register } from '#test/support/site-member.ts'

const folder = setUpFolder('arriving')
/** The time within which the page must say it. */
const HONEST_MS = 5000
/** 10 Mb/s. */
const LINE = 1_250_000
const VIEWERS = 20

let server: ServerProcess
let cookie: string
let bytes: Buffer
let total: number

beforeAll(async () => {
  server = await startServer({ env: { RENDITIONS: '' } })
  const member = await register(server.origin, 'ann')
  cookie = member.cookie
  const path = join(folder, 'match.mp4')
  await makeClip({
    ...{ path, width: 640, height: 360, seconds: 12, keyFrameSeconds: 2 },
    filters: ['noise=alls=20:allf=t'],
  })
  bytes = await readFile(path)
  total = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
})
afterAll(() => server.remove())

async function post(path: string, json: object) {
  const answer = await fetch(server.origin + path, {
    ...{ method: 'POST', body: JSON.stringify(json) },
    headers: { cookie, 'content-type': 'application/json' },
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.json()
}

const chunkOf = (index: number) =>
  bytes.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES)

async function open() {
  const file = { fileName: 'match.mp4', fileSize: bytes.length, fileType: 'video/mp4' }
  const { uploadId } = await post('/api/uploads/initialize', {
    ...file,
    metadata: { title: 'The last stand' },
  })
  const { videoId } = await post(`/api/uploads/${uploadId}/link`, {})
  return { uploadId: uploadId as string, videoId: videoId as number }
}

async function send(uploadId: string, index: number): Promise<void> {
  const form = new FormData()
  form.set('uploadId', uploadId)
  form.set('chunkIndex', String(index))
  form.set('totalChunks', String(total))
  form.set('chunk', new Blob([new Uint8Array(chunkOf(index))]))
  const answer = await fetch(`${server.origin}/api/uploads/chunk`, {
    ...{ method: 'POST', body: form, headers: { cookie } },
  })
  expect(answer.status).toBe(200)
}

/** A process that sends a chunk slowly. */
async function startSending(uploadId: string, index: number) {
  const path = join(folder, `chunk-${index}`)
  await writeFile(path, chunkOf(index))
  const fields = { uploadId, chunkIndex: index, totalChunks: total }
  const parts = Object.entries(fields).flatMap(([name, value]) => ['-F', `${name}=${value}`])
  return spawn('curl', [
    ...['-sS', '--limit-rate', '200K', '-b', cookie, ...parts],
    ...['-F', `chunk=@${path}`, `${server.origin}/api/uploads/chunk`],
  ])
}

async function follow(videoId: number, viewer = 'viewer') {
  const events = await followEvents<Arriving>(server.origin, {
    ...{ name: 'arriving.follow', input: { id: videoId }, userAgent: viewer },
  })
  onTestFinished(() => events.close())
  return events
}

const end = (uploadId: string) =>
  fetch(`${server.origin}/api/uploads/${uploadId}`, { method: 'DELETE', headers: { cookie } })

test('an upload whose sender is killed in the middle of a chunk is paused within 5 s, and goes on', async () => {
  const { uploadId, videoId } = await open()
  await send(uploadId, total - 1)
  const sender = await startSending(uploadId, 0)
  const viewer = await follow(videoId)
  await viewer.until(({ state }) => state === 'arriving')
  // A chunk that takes longer than the silence is not one that has stopped.
  await wait(HONEST_MS + 1000)
  expect(viewer.seen.map(({ state }) => state)).not.toContain('paused')
  const killedAt = performance.now()
  sender.kill('SIGKILL')
  await viewer.until(({ state }) => state === 'paused', HONEST_MS)
  console.log({ pausedAfterMs: Math.round(performance.now() - killedAt) })
  await send(uploadId, 0)
  await viewer.until(({ state }) => state === 'arriving', HONEST_MS)
  await end(uploadId)
})

test('a killed server says within 5 s of its return that the upload is paused, and goes on with it', async () => {
  const { uploadId, videoId } = await open()
  await send(uploadId, total - 1)
  await send(uploadId, 0)
  const { dataFolder, port } = server
  await server.stop('SIGKILL')
  server = await startServer({ dataFolder, port, env: { RENDITIONS: '' } })
  const upAt = performance.now()
  const viewer = await follow(videoId)
  await viewer.until(({ state }) => state === 'paused', HONEST_MS)
  console.log({ honestAfterMs: Math.round(performance.now() - upAt) })
  await send(uploadId, 1)
  await viewer.until(
    ({ state, arrivedSeconds }) => state === 'arriving' && arrivedSeconds > 1,
    9000,
  )
  await end(uploadId)
  await viewer.until(({ state }) => state === 'cancelled', HONEST_MS)
})

test('20 viewers watch one arriving upload, and each gets the same bytes', async () => {
  const { uploadId, videoId } = await open()
  await send(uploadId, total - 1)
  const watch = async (viewer: number) => {
    const events = await follow(videoId, `viewer ${viewer}`)
    const base = `${server.origin}/arriving/${videoId}/`
    const got: Buffer[] = []
    let isWhole = false
    while (!isWhole) {
      const list = await (await fetch(`${base}media.m3u8`)).text()
      isWhole = list.includes('#EXT-X-ENDLIST')
      const names = list.split('\n').filter((line) => line.endsWith('.m4s'))
      for (const name of names.slice(got.length)) {
        got.push(Buffer.from(await (await fetch(base + name)).arrayBuffer()))
      }
      await wait(500)
    }
    return { events, got: Buffer.concat(got) }
  }
  const cpuBefore = await cpuSeconds()
  const viewers = Promise.all(Array.from({ length: VIEWERS }, (_, viewer) => watch(viewer)))
  const begunAt = performance.now()
  for (let index = 0; index < total - 1; index++) {
    await send(uploadId, index)
    const dueAt = (((index + 1) * UPLOAD_CHUNK_BYTES) / LINE) * 1000
    await wait(Math.max(0, dueAt - (performance.now() - begunAt)))
  }
  const all = await viewers
  const seconds = (performance.now() - begunAt) / 1000
  const cpu = (await cpuSeconds()) - cpuBefore
  console.log({ seconds, cpuShare: cpu / seconds, megabytes: bytes.length / 1e6 })
  expect(new Set(all.map(({ got }) => got.toString('base64'))).size).toBe(1)
  await post('/api/uploads/complete', { uploadId, thumbnailUrl: null })
  for (const { events } of all) await events.until(({ state }) => state === 'ready', 5000)
})

/** Of the server's process. */
async function cpuSeconds(): Promise<number> {
  const fields = (await readFile(`/proc/${server.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')
  return (Number(fields?.[11]) + Number(fields?.[12])) / 100
}
