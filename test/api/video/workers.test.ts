import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { listMediaProcesses } from '#test/support/media-processes.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { addWorker, startWorker } from '#test/support/worker-process.ts'

let site: TestSite
let origin: string
let ann: TestMember
let admin: TestMember

beforeEach(async () => {
  site = await openTestSite({ processingJobs: 0, renditionHeights: [180] }, { leaseMs: 3000 })
  ann = await site.addMember('ann')
  admin = await site.addMember('ada', { isAdmin: true })
  origin = await site.app.listen({ host: '127.0.0.1', port: 0 })
  await site.deps.jobs.start()
})
afterEach(() => site.close())

test('a worker prepares videos for a site that prepares nothing itself', async () => {
  const videoId = await upload()
  const { id, token } = await addWorker(site, admin)
  const worker = start(token)
  await until(async () => (await listJobs()).filter(isDone).length === 2)
  expect(await listJobs()).toMatchObject([
    { kind: 'transcode', state: 'done', workerId: id, failures: 0 },
    { kind: 'ladder', state: 'done', workerId: id, failures: 0 },
  ])
  const video = await site.call({ method: 'GET', url: `/api/videos/${videoId}` })
  expect(video.json()).toMatchObject({ processingState: 'ready', width: 320, height: 180 })
  expect(await listWorkers()).toMatchObject([
    { id, name: 'gaming-pc', isHere: true, encoder: 'libx264', jobsDone: 2, jobsFailed: 0 },
  ])
  expect(await worker.end('SIGTERM')).toBe(0)
})

async function upload(seconds = 1): Promise<number> {
  const path = join(site.dataFolder, 'clip.avi')
  const codecs = { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' } as const
  await makeClip({ path, seconds, ...codecs })
  const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.avi' })
  return (await complete({ site, as: ann }, { uploadId })).json().videoId
}

function start(token: string, args: string[] = []) {
  const worker = startWorker({ origin, token, args })
  onTestFinished(async () => void (await worker.end('SIGKILL')))
  return worker
}

const isDone = ({ state }: { state: string }) => state === 'done'

function listJobs() {
  return site.db.selectFrom('jobs').selectAll().orderBy('id').execute()
}

async function listWorkers() {
  const answer = await site.call({ as: admin, method: 'GET', url: '/trpc/worker.list' })
  return answer.json().result.data.workers
}
void listMediaProcesses
