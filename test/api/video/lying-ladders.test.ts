import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LadderResult } from '#server/video/processing/tasks/media-task.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { makeClip } from '#test/support/clips.ts'
import { quickCases } from '#test/support/long-form.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { asWorker } from '#test/support/worker-client.ts'
import { addWorker } from '#test/support/worker-process.ts'

let site: TestSite
let origin: string
const folder = setUpFolder('liars')
let videoId: number
let admin: TestMember
let ladder: LadderResult

// One video, whose ladder is handed in wrongly again and again: each liar is another worker.
beforeAll(async () => {
  const [path, outputFolder] = [join(folder, 'clip.mp4'), join(folder, 'ladder')]
  await makeClip({ path, seconds: 1 })
  await mkdir(outputFolder)
  site = await openTestSite({ processingJobs: 0, renditionHeights: [180] })
  const ann = await site.addMember('ann')
  admin = await site.addMember('ada', { isAdmin: true })
  origin = await site.app.listen({ host: '127.0.0.1', port: 0 })
  await site.deps.jobs.start()
  const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.mp4' })
  videoId = (await complete({ site, as: ann }, { uploadId })).json().videoId
  ladder = await runMediaTask(
    {
      ...{ kind: 'ladder', sourcePath: path, playablePath: path, thumbnailPath: null },
      ...{ outputFolder, heights: [180], encoder: 'libx264' },
    },
    { timeoutMs: 60_000 },
  )
})
afterAll(() => site.close())

type Tampered = { result: LadderResult; files: Map<string, Buffer> }
type Lie = [lie: string, reason: string, tamper: (tampered: Tampered) => void]

const LIES: Lie[] = [
  [
    'a playlist of a file outside',
    'hls.m3u8 has lines that are of no playlist',
    ({ files }) => replaceText(files, 'hls.m3u8', '180p.m3u8', '../../1/video.mp4'),
  ],
  [
    'a playlist of a file that was not sent',
    'hls.m3u8 names a file that was not sent',
    ({ files }) => replaceText(files, 'hls.m3u8', '180p.m3u8', '360p.m3u8'),
  ],
  [
    'a playlist with a second address in a line',
    '180p.m3u8 has lines that are of no playlist',
    ({ files }) =>
      replaceText(files, '180p.m3u8', /(#EXT-X-MAP:.*)/, '$1,URI="https://x.example/"'),
  ],
  [
    'a playlist that names a list elsewhere',
    '180p.m3u8 has lines that are of no playlist',
    ({ files }) =>
      replaceText(
        files,
        '180p.m3u8',
        '#EXT-X-ENDLIST',
        '#EXT-X-DATERANGE:ID="1",X-ASSET-LIST="https://x.example/"\n#EXT-X-ENDLIST',
      ),
  ],
  [
    'a playlist with a carriage return in a line',
    '180p.m3u8 has lines that are of no playlist',
    ({ files }) =>
      replaceText(
        files,
        '180p.m3u8',
        /(#EXTINF:[^\n]*)/,
        '$1\r#EXT-X-MAP:URI="https://x.example/"',
      ),
  ],
  [
    'a playlist of an address without quotes',
    'hls.m3u8 has lines that are of no playlist',
    ({ files }) =>
      replaceText(
        files,
        'hls.m3u8',
        '#EXT-X-STREAM-INF',
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI=https://x.example/\n#EXT-X-STREAM-INF',
      ),
  ],
  [
    'a playlist of a playlist',
    '180p.m3u8 names a file that was not sent',
    ({ files }) => replaceText(files, '180p.m3u8', /180p\.mp4/g, 'hls.m3u8'),
  ],
  [
    'a storyboard with words',
    'storyboard.vtt has lines that are of no storyboard',
    ({ files }) => replaceText(files, 'storyboard.vtt', /$/, '\nNOTE from elsewhere\n'),
  ],
  [
    'a name of a sound that no recorder gives',
    'its answer is not well-formed',
    ({ result }) => {
      result.soundNames = ['Visit x.example']
    },
  ],
  [
    'a playlist of parts that there are not',
    '180p.m3u8 names parts that 180p.mp4 has not',
    ({ files }) => replaceText(files, '180p.m3u8', /(?<=BYTERANGE:\d+@)/, '9999999'),
  ],
  [
    'a file that it does not name',
    'it sent a file that it does not name, waveform.bin',
    ({ result, files }) => {
      files.set('waveform.bin', Buffer.from('x'))
      result.files = result.files.filter(({ name }) => name !== 'waveform.bin')
    },
  ],
  [
    'a page as a rendition',
    '180p.mp4 is no MP4 with a picture',
    ({ files }) => files.set('180p.mp4', Buffer.alloc(files.get('180p.mp4')?.length ?? 0, '<p>')),
  ],
  [
    'another length',
    'the result lasts 9.0 seconds, the recording 1.0',
    ({ result }) => {
      result.durationSeconds = 9
    },
  ],
]

test.each(
  quickCases(LIES, [
    'a playlist of a file outside',
    'a playlist with a carriage return in a line',
    'a playlist of an address without quotes',
  ]),
)('a ladder with %s changes nothing, and its worker is named', async (lie, reason, tamper) => {
  const { id, token } = await addWorker(site, admin, lie)
  const liar = asWorker({ origin, token })
  const tampered = await copyLadder()
  tamper(tampered)
  const { result, files } = tampered
  for (const file of result.files) file.bytes = files.get(file.name)?.length ?? 0
  const order = await liar.claim()
  for (const [name, bytes] of files) {
    expect((await liar.send(order, { name, bytes })).status).toBe(200)
  }
  const answer = await liar.finish(order, result)
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(reason)])
  await until(async () => (await findJob()).state === 'queued')
  // It waits a while after a failure.
  await changeRows(site.db, 'jobs', {
    where: {},
    values: { runAfter: '1970-01-01T00:00:00.000Z', failures: 0 },
  })
  const video = await site.get(`/api/videos/${videoId}`)
  expect(video.json()).toMatchObject({ processingState: 'ready', hlsUrl: null })
  const listed = await site.get('/trpc/worker.list', { as: admin })
  const known = listed.json().result.data.workers.find((one: { id: number }) => one.id === id)
  expect(known).toMatchObject({ jobsFailed: 1, lastError: `Refused: ${reason}` })
})

test('the texts of a ladder are written by the site, whatever the worker’s looked like', async () => {
  const { token } = await addWorker(site, admin, 'honest')
  const worker = asWorker({ origin, token })
  const { result, files } = await copyLadder()
  const written = new Map(files)
  replaceText(files, '180p.m3u8', /(?<=TARGETDURATION:)\d+/, '987654')
  replaceText(files, 'storyboard.vtt', '00:00:00.000', '000:00:00.000')
  result.moments = [
    { source: 'chapter', atSeconds: 0.5, weight: 1, title: 'A goal\u2028\r\nand\u202e more ' },
  ]
  for (const file of result.files) file.bytes = files.get(file.name)?.length ?? 0
  const order = await worker.claim()
  for (const [name, bytes] of files) await worker.send(order, { name, bytes })
  const answer = await worker.finish(order, result)
  expect([answer.status, await answer.text()]).toEqual([200, '{}'])
  await until(async () => (await findJob()).state === 'done')
  const { hlsUrl } = (await site.get(`/api/videos/${videoId}`)).json()
  // Every file of an attempt has the attempt's mark in its name.
  const mark = /hls(-\w+)\.m3u8/.exec(hlsUrl)?.[1] ?? ''
  const stored = (name: string) => name.replace(/(?=\.\w+$)/, mark)
  for (const name of ['hls.m3u8', '180p.m3u8', 'storyboard.vtt']) {
    const url = hlsUrl.replace(stored('hls.m3u8'), stored(name))
    const { body } = await site.get(url)
    const names = new RegExp(
      [...written.keys()].map((one) => one.replace('.', '\\.')).join('|'),
      'g',
    )
    expect(body).toBe(written.get(name)?.toString().replaceAll(names, stored))
  }
  const moment = await site.db.selectFrom('moments').select('title').executeTakeFirstOrThrow()
  expect(moment.title).toBe('A goal and more')
})

async function copyLadder(): Promise<Tampered> {
  const files = new Map<string, Buffer>()
  for (const { name } of ladder.files) {
    files.set(name, await readFile(join(folder, 'ladder', name)))
  }
  return { result: structuredClone(ladder), files }
}

function replaceText(
  files: Map<string, Buffer>,
  name: string,
  from: string | RegExp,
  to: string,
): void {
  files.set(name, Buffer.from((files.get(name) ?? '').toString().replace(from, to)))
}

function findJob() {
  return site.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
}
