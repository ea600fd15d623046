import { setTimeout as pause } from 'node:timers/promises'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { openUploadPage } from '../clients/upload-page.ts'
import { openUpload, sendVideo } from '../send-video.ts'
import { GOES_ON_SECONDS_MAX } from './job-watch.ts'
import type { Material } from './kill-scenes.ts'
import type { SiteClient } from './site-client.ts'
import type { StoreServer } from './store-server.ts'

const POLL_MS = 300
/** How often somebody presses 'Try again' on the upload page. */
const PRESSES_MAX = 4
const READY_SECONDS_MAX = 60

type Input = { store: StoreServer; origin: string; material: Material; admin: SiteClient }
type Video = { processingState: string; videoUrl: string | null; hlsUrl: string | null }

/**
 * Ends a store while a video waits to be prepared, looks at what its site does without, and starts it again while a member
 * uploads. @returns what was expected and did not come about
 */
export async function checkAway({ store, origin, material, admin }: Input) {
  const failures: string[] = []
  const expect = (holds: boolean, sentence: string) => {
    if (!holds) failures.push(`${store.name} away: ${sentence}`)
  }
  const uploader = { origin, headers: { cookie: admin.cookie() } }
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(origin + path, { ...init, headers: uploader.headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const send = async (name: string, bytes: Buffer): Promise<number> => {
    const { status, text } = await sendVideo(uploader, { name, bytes })
    if (status !== 200) throw new Error(`An upload was answered ${status}: ${text}`)
    return (JSON.parse(text) as { videoId: number }).videoId
  }
  const untilReady = async (id: number, seconds: number): Promise<Video> => {
    for (const end = performance.now() + seconds * 1000; ; await pause(POLL_MS)) {
      const video = JSON.parse((await ask(`/api/videos/${id}`)).text) as Video
      if (video.processingState !== 'processing' || performance.now() > end) return video
    }
  }

  const played = await untilReady(await send('before it went away', material.clip), 180)
  const waiting = await send('as it went away', material.needsTranscode)
  const upload = await openUpload(uploader, { name: 'while it is away', bytes: material.clip })
  await store.kill()

  const form = new FormData()
  const { uploadId } = JSON.parse(upload.text) as { uploadId: string }
  const totalChunks = String(Math.ceil(material.clip.length / UPLOAD_CHUNK_BYTES))
  for (const [name, value] of Object.entries({ uploadId, chunkIndex: '0', totalChunks })) {
    form.set(name, value)
  }
  form.set(
    'chunk',
    new Blob([new Uint8Array(material.clip.subarray(0, UPLOAD_CHUNK_BYTES))]),
    'blob',
  )
  const refused = await ask('/api/uploads/chunk', { method: 'POST', body: form })
  expect(refused.status === 503, `a chunk was answered ${refused.status} ${refused.text}`)
  expect(/does not answer\./.test(refused.text), `a chunk was told: ${refused.text}`)
  expect(refused.headers.has('retry-after'), 'a chunk was not told when to come again')
  for (const path of ['/', '/api/videos', `/video/${waiting}`, played.videoUrl ?? '/none']) {
    const { status } = await ask(path)
    expect(status === 200, `${path} was answered ${status}`)
  }
  expect(await untilReadiness(ask, 503), 'readiness does not say so')
  const reason = (await ask('/api/ready')).text
  expect(/store/i.test(reason), `readiness says: ${reason}`)

  const page = openUploadPage(
    { origin, cookie: admin.cookie() },
    { name: 'from the page', bytes: material.clip },
  )
  const interrupted = page.untilInterrupted()
  let outcome = page.press()
  await interrupted
  await store.start()
  const backAt = performance.now()
  for (let press = 1; (await outcome).kind !== 'complete' && press < PRESSES_MAX; press++) {
    outcome = page.press()
  }
  const done = await outcome
  expect(done.kind === 'complete', `the upload page ended with ${JSON.stringify(done)}`)
  const prepared = await untilReady(waiting, GOES_ON_SECONDS_MAX + 60)
  const seconds = (performance.now() - backAt) / 1000
  expect(prepared.processingState === 'ready', `what waited is ${prepared.processingState}`)
  expect(await untilReadiness(ask, 200), 'readiness does not say that it is back')
  await admin.call('upload.cancel', { uploadId })
  return { failures, seconds }
}

async function untilReadiness(
  ask: (path: string) => Promise<{ status: number }>,
  status: number,
): Promise<boolean> {
  for (let at = 0; at < READY_SECONDS_MAX; at++) {
    if ((await ask('/api/ready')).status === status) return true
    await pause(1000)
  }
  return false
}
