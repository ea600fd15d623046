import { cp, mkdir, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restoreBackup } from '#server/desk/backup/restore-backup.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { beginBackup } from '#server/platform/db/maintain.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import { exists } from '#server/platform/durable-files.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { WITH_MEDIA } from '#test/support/media-variables.ts'
import { addRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { listStored, partsOf, removeStored, withStoreOf } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'

const ACCOUNT = {
  username: 'ann',
  email: 'ann@example.org',
  displayName: 'Ann',
  password: 'correct horse',
}
const base = setUpFolder('backup')
let server: ServerProcess
let cookie: string
let clip: Buffer
let ladderId: number
let backup: string
const mediaKey = (address: string) => address.split('/')[2] ?? ''

beforeAll(async () => {
  backup = join(base, 'backups', 'monday')
  clip = await readFile(await makeClip({ path: join(base, 'clip.mp4'), seconds: 1 }))
  server = await startServer()
  const registered = await call('/api/register', ACCOUNT)
  cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  ladderId = await upload('Kept')
  await until(async () => (await getVideo(ladderId)).hlsUrl !== null)
}, 120_000)
afterAll(() => server.remove())

const call = (path: string, body: object, options: { origin?: string; cookie?: string } = {}) =>
  fetch((options.origin ?? server.origin) + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie: options.cookie ?? cookie ?? '' },
  })

async function openUpload(title: string, fileSize: number): Promise<string> {
  const file = { fileName: 'clip.mp4', fileSize, fileType: 'video/mp4', metadata: { title } }
  const answer = await call('/api/uploads/initialize', file)
  return ((await answer.json()) as { uploadId: string }).uploadId
}

function sendChunk(
  uploadId: string,
  chunk: { index: number; total: number; bytes: Buffer },
  options: { origin: string; cookie: string } = { origin: server.origin, cookie },
) {
  const form = new FormData()
  form.set('uploadId', uploadId)
  form.set('chunkIndex', String(chunk.index))
  form.set('totalChunks', String(chunk.total))
  form.set('chunk', new Blob([new Uint8Array(chunk.bytes)]))
  const headers = { cookie: options.cookie }
  return fetch(`${options.origin}/api/uploads/chunk`, { method: 'POST', body: form, headers })
}

async function upload(title: string): Promise<number> {
  const uploadId = await openUpload(title, clip.length)
  await sendChunk(uploadId, { index: 0, total: 1, bytes: clip })
  const completed = await call('/api/uploads/complete', { uploadId, thumbnailUrl: null })
  return ((await completed.json()) as { videoId: number }).videoId
}

async function getVideo(id: number, origin = server.origin) {
  const answer = await fetch(`${origin}/api/videos/${id}`)
  return (await answer.json()) as Record<'title' | 'videoUrl' | 'thumbnailUrl' | 'hlsUrl', string>
}

const getBytes = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())

test('a backup of a running site becomes the same site elsewhere, with nobody signed in', async () => {
  const uploadId = await openUpload('Half', UPLOAD_CHUNK_BYTES + 1)
  await sendChunk(uploadId, { index: 0, total: 2, bytes: Buffer.alloc(UPLOAD_CHUNK_BYTES, 1) })
  const made = await runCommand('backup', { ...server, args: [backup, ...WITH_MEDIA] })
  expect(made).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('Backed up 1 video'),
  })
  expect((await readdir(join(base, 'backups'))).sort()).toEqual(['monday'])
  expect((await readdir(backup)).sort()).toEqual(['clutch.db', 'manifest.json', 'media'])

  const dataFolder = join(base, 'restored')
  // As a checkout has its data folder.
  await mkdir(dataFolder)
  await writeFile(join(dataFolder, '.gitkeep'), '')
  const restored = await runCommand('restore', { dataFolder, args: [backup] })
  expect(restored).toMatchObject({ code: 0, err: '' })
  const second = await startServer({ dataFolder })
  try {
    const { origin } = second
    const video = await getVideo(ladderId, origin)
    expect(video).toEqual(await getVideo(ladderId))
    for (const address of [video.videoUrl, video.thumbnailUrl, video.hlsUrl]) {
      expect(await getBytes(origin + address)).toEqual(await getBytes(server.origin + address))
    }
    expect((await fetch(`${origin}/api/user`, { headers: { cookie } })).status).toBe(401)
    expect((await fetch(`${server.origin}/api/user`, { headers: { cookie } })).status).toBe(200)
    const signedIn = await call('/api/login', ACCOUNT, { origin })
    expect(signedIn.status).toBe(200)
    const newCookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const chunk = { index: 1, total: 2, bytes: Buffer.alloc(1) }
    const late = await sendChunk(uploadId, chunk, { origin, cookie: newCookie })
    expect(late.status).toBe(410)
  } finally {
    await second.stop()
  }
  expect(await runCommand('doctor', { dataFolder })).toMatchObject({ code: 0 })
})

longTest('a video deleted during a backup is gone at once, and its files afterwards', async () => {
  const id = await upload('Deleted')
  const { videoUrl } = await getVideo(id)
  const isStored = () =>
    withStoreOf(server, async (site) => (await listStored(site, mediaKey(videoUrl))).length > 0)
  const end = beginBackup(server.dataFolder)
  const another = await runCommand('backup', { ...server, args: [join(base, 'another')] })
  expect(another).toMatchObject({ code: 1, err: 'Another backup of this site is running.\n' })
  const headers = { cookie }
  const deleted = await fetch(`${server.origin}/api/videos/${id}`, { method: 'DELETE', headers })
  expect(deleted.status).toBe(204)
  expect((await fetch(`${server.origin}/api/videos/${id}`)).status).toBe(404)
  expect(await isStored()).toBe(true)
  end?.()

  const later = join(base, 'later')
  const made = await runCommand('backup', { ...server, args: [later, ...WITH_MEDIA] })
  expect(made).toMatchObject({ code: 0 })
  expect(await readdir(join(later, 'media'))).toEqual([
    mediaKey((await getVideo(ladderId)).videoUrl),
  ])
  await server.stop()
  server = await startServer({ dataFolder: server.dataFolder, port: server.port })
  await until(async () => !(await isStored()))
})

longTest(
  'a job that was running is queued again, and a file that was missing is reported',
  async () => {
    const from = join(base, 'stopped')
    await restoreBackup({ dataFolder: from, folder: backup })
    const db = openDatabase(from)
    const now = timestamp()
    const running = { kind: 'transcode', videoId: ladderId, state: 'running', attempt: 1 } as const
    await addRows(db, 'jobs', { ...running, runAfter: now, createdAt: now })
    await db.destroy()
    const picture = partsOf((await getVideo(ladderId)).thumbnailUrl)
    await withStoreOf({ dataFolder: from }, (site) => removeStored(site, ...picture))
    const folder = join(base, 'with-job')
    const made = await runCommand('backup', { dataFolder: from, args: [folder, ...WITH_MEDIA] })
    expect(made.out).toContain('Missing on the site itself: 1 file;')
    const dataFolder = join(base, 'requeued')
    const again = await runCommand('restore', { dataFolder, args: [folder] })
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('backup was made: 1 file.'),
    })
    const restored = openDatabaseToRead(dataFolder)
    const jobs = await restored
      .selectFrom('jobs')
      .select(['state', 'attempt'])
      .where('kind', '=', 'transcode')
      .execute()
    const uploads = await restored.selectFrom('uploads').select(['title', 'state']).execute()
    await restored.destroy()
    expect(jobs).toEqual([{ state: 'queued', attempt: 1 }])
    expect(uploads).toContainEqual({ title: 'Half', state: 'expired' })
  },
)

test.each([
  [
    'a media file cut short',
    /The backup is damaged\. Its media\/\w+\/video-\w+\.mp4 has 10 bytes instead/,
  ],
  [
    'a media file with one bit changed',
    /Its media\/\w+\/video-\w+\.mp4 is not the file that was backed up/,
  ],
  ['a media file missing', /The backup is damaged\. Its media\/\w+\/video-\w+\.mp4 is missing/],
  [
    'a file that the manifest forgot',
    /It lacks media\/\w+\/video-\w+\.mp4, the video file of video/,
  ],
  [
    'a changed database',
    /The backup is damaged\. Its clutch\.db is not the file that was backed up/,
  ],
  ['no database', /The backup is damaged\. Its clutch\.db is missing/],
  ['one digit of the manifest changed', /The backup is damaged: its manifest\.json cannot be read/],
  ['a broken manifest', /The backup is damaged: its manifest\.json cannot be read/],
  ['no manifest', /is not a backup: it has no manifest\.json/],
])('a backup with %s is refused, and the data folder stays empty', async (damage, sentence) => {
  const folder = join(base, 'damaged')
  await rm(folder, { recursive: true, force: true })
  await cp(backup, folder, { recursive: true })
  await harm(folder, damage)
  const dataFolder = join(base, 'untouched')
  await expect(restoreBackup({ dataFolder, folder })).rejects.toThrow(sentence)
  const names = (await exists(dataFolder)) ? await readdir(dataFolder) : []
  expect(names.filter((name) => !name.endsWith('.lock'))).toEqual([])
})

async function harm(folder: string, damage: string): Promise<void> {
  const video = join(folder, (await getVideo(ladderId)).videoUrl.slice(1))
  const manifest = join(folder, 'manifest.json')
  const database = join(folder, 'clutch.db')
  if (damage === 'a media file cut short') await truncate(video, 10)
  if (damage === 'a media file with one bit changed') {
    const bytes = await readFile(video)
    bytes[1000] = (bytes[1000] ?? 0) ^ 1
    // A file of its own: this one is a further name of the site's.
    await rm(video)
    await writeFile(video, bytes)
  }
  if (damage === 'one digit of the manifest changed') {
    const text = await readFile(manifest, 'utf8')
    await writeFile(manifest, text.replace(/"createdAt": "2/, '"createdAt": "3'))
  }
  if (damage === 'a media file missing') await rm(video)
  if (damage === 'a file that the manifest forgot') {
    const content = JSON.parse(await readFile(manifest, 'utf8'))
    const files = content.files.filter((file: { path: string }) => !file.path.endsWith('.mp4'))
    await writeFile(manifest, JSON.stringify({ ...content, files, version: 1 }))
  }
  if (damage === 'a changed database') {
    const file = await open(database, 'r+')
    await file.write(Buffer.alloc(200, 9), 0, 200, 20_000)
    await file.close()
  }
  if (damage === 'no database') await rm(database)
  if (damage === 'a broken manifest') await writeFile(manifest, '{')
  if (damage === 'no manifest') await rm(manifest)
}

longTest('folders that are in use are left alone, with a sentence', async () => {
  const cases: [string, Parameters<typeof runCommand>[1], string][] = [
    ['backup', { ...server, args: [backup] }, 'is not empty. Choose a new folder'],
    ['backup', { ...server, args: [join(server.dataFolder, 'x')] }, 'inside the data folder'],
    ['backup', { ...server, args: ['/proc/copies/clutch'] }, 'where no folder can be made.'],
    ['restore', { dataFolder: '/proc/data', args: [backup] }, 'where no folder can be made.'],
    ['restore', { ...server, args: [backup] }, 'A Clutch server uses'],
    ['restore', { dataFolder: join(base, 'restored'), args: [backup] }, 'is not empty.'],
    ['restore', { dataFolder: join(base, 'new'), args: [base] }, 'is not a backup'],
  ]
  const refuse = async ([name, options, sentence]: (typeof cases)[number]) => {
    const refused = await runCommand(name, options)
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(sentence) })
  }
  const quick = ['is not empty. Choose a new folder', 'A Clutch server uses']
  const tried = cases.filter(([, , sentence]) => isLongForm || quick.includes(sentence))
  await Promise.all(tried.map(refuse))
  expect((await runCommand('backup', server)).code).toBe(2)
})
