import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from '#test/support/fault-proxy.ts'
import { until } from '#test/support/until.ts'
import { addWorker } from '#test/support/worker-process.ts'
import { isDone, makeRecordings, openWorkerSite } from '#test/support/worker-site.ts'

let clips: string

beforeAll(async () => {
  clips = await mkdtemp(join(tmpdir(), 'clutch-clips-'))
  await makeRecordings(clips, [1, 20])
})
afterAll(() => rm(clips, { recursive: true, force: true }))

const recording = (seconds: 1 | 20) => join(clips, `${seconds}.avi`)

async function openScene(...input: Parameters<typeof openWorkerSite>) {
  const scene = await openWorkerSite(...input)
  onTestFinished(() => scene.close())
  return scene
}

async function openProxy(origin: string) {
  const proxy = await startFaultProxy(origin)
  onTestFinished(() => proxy.stop())
  return proxy
}

test('a report that is refused is dropped, and the next one says how far the work is by then', async () => {
  const { site, admin, origin, start, upload, listJobs } = await openScene()
  const proxy = await openProxy(origin)
  proxy.fail(400, { times: 1, of: /progress$/ })
  await upload(recording(20))
  const { token } = await addWorker(site, admin)
  const worker = start(token, { at: proxy.endpoint })
  await until(async () => (await listJobs()).some(isDone))
  expect((await listJobs())[0]).toMatchObject({ step: 'encoding', failures: 0 })
  expect(worker.output()).not.toContain('Trying again')
})
