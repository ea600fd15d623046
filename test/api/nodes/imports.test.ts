import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeKey } from '#server/platform/files/media-store.ts'
import { runDueFetches } from '#server/video/fetch/start-fetches.ts'
import type { ImportRun } from '#shared/schemas/desk/import.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { type FileServer, serveBytes, startFileServer } from '#test/support/file-server.ts'
import { madePath, writeFireshare } from '#test/support/fireshare.ts'
import { peertubeFiles } from '#test/support/peertube.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { writeSession } from '#test/support/steam.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { makeZip } from '#test/support/zip.ts'

const MB = 1024 ** 2

const root = await mkdtemp(join(tmpdir(), 'clutch-import-nodes-'))
let nodes: TestNodes
let files: FileServer
let admin: TestMember

beforeAll(async () => {
  files = await startFileServer({})
  const settings = { processingJobs: 0, importFolders: [root], localHosts: ['127.0.0.1'] }
  nodes = await openTestNodes(settings)
  admin = await nodes.one.addMember('admin', { isAdmin: true })
})
afterAll(async () => {
  await nodes.close()
  await files.stop()
  await rm(root, { recursive: true, force: true })
})

async function makeRecording(solid: string): Promise<Buffer> {
  const path = join(root, 'clip.mp4')
  await makeClip({ path, solid, seconds: 1 })
  return readFile(path)
}

test('imports from the desk of one node go into the bucket, and another node shows them', async () => {
  const { one, other } = nodes
  const fireshare = join(root, 'fireshare')
  await writeFireshare(fireshare, { version: '1.8', videos: [{ path: 'a.mp4', title: 'Shared' }] })
  await makeClip({ path: await madePath(fireshare, 'a.mp4'), solid: '0xc83c28' })
  const peertube = join(root, 'ann.zip')
  const captions = { en: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello there\n' }
  const tubed = { name: 'Tubed', file: await makeRecording('0x28c83c'), views: 7, captions }
  const playlists = [{ name: 'Best', videos: [0] }]
  await writeFile(peertube, makeZip(peertubeFiles({ videos: [tubed], playlists })))
  const medal = join(root, 'medal')
  await mkdir(medal)
  await writeFile(join(medal, 'Rust.mp4'), await makeRecording('0x283cc8'))
  const stored = { uuid: 'one', Status: 'local', clipType: 'clip', FilePath: 'D:\\Medal\\Rust.mp4' }
  const first = { ...stored, TimeCreated: 1_746_139_680, GameTitle: 'Rust', Content: {} }
  await writeFile(join(medal, 'clips.json'), JSON.stringify({ first }))
  const steam = join(root, 'steam')
  const clip = join(steam, 'clip_1_20250501_224800')
  await writeSession(join(clip, 'video'), { name: 'bg_1_20250501_224800' })
  const libraries = { fireshare, peertube, medal, steam }
  for (const [source, path] of Object.entries(libraries)) {
    const input = { source, path, owner: 'admin' }
    await answerOf(one, { as: admin, name: 'import.start', input })
    const last = async () =>
      (await answerOf<ImportRun[]>(other, { as: admin, name: 'import.list' }))[0]
    await expect.poll(async () => (await last())?.state, { timeout: 30_000 }).not.toBe('running')
    expect(await last(), source).toMatchObject({
      ...{ state: 'done', source, error: null },
      report: { imported: 1, problemCount: 0 },
    })
  }
  const videos = await listRows(one.db, 'videos')
  expect(videos.map(({ title }) => title)).toMatchObject(['Shared', 'Tubed', 'Rust', {}])
  expect(videos[1]).toMatchObject({ viewCount: 7, visibility: 'public' })
  expect(await listRows(one.db, 'mediaFiles', { kind: 'captions' })).toHaveLength(1)
  expect(await listRows(one.db, 'playlists')).toMatchObject([{ title: 'Best' }])
  for (const { videoUrl, mediaKey } of videos) {
    const name = videoUrl?.split('/').at(-1)
    expect(await other.media.stat(storeKey(mediaKey, `${name}`)), `${videoUrl}`).toBeDefined()
  }
  expect(await listRows(one.db, 'importedVideos', { state: 'done' })).toHaveLength(4)
}, 120_000)

test('a node continues what another one has fetched of a file', async () => {
  const { one, other } = nodes
  await changeRows(one.db, 'siteSettings', { where: { id: 1 }, values: { fetchesAddresses: 1 } })
  const box = Buffer.alloc(5 * MB, 7)
  box.writeUInt32BE(box.length)
  box.write('free', 4)
  const bytes = Buffer.concat([await makeRecording('0x3cc828'), box])
  files.answers['/clip.mp4'] = serveBytes(bytes)
  const metadata = { title: 'From afar', description: '', category: 'Other', tags: [] }
  const input = { url: `${files.origin}/clip.mp4`, metadata }
  await answerOf(one, { as: admin, name: 'fetch.start', input })
  files.answers['/clip.mp4'] = (_, response) => {
    const headers = { 'content-type': 'video/mp4', 'content-length': bytes.length, etag: '"one"' }
    response.writeHead(200, headers)
    response.write(bytes.subarray(0, 4.5 * MB))
  }
  const closing = new AbortController()
  const working = runDueFetches({ ...one.deps, log: one.log, closing: closing.signal })
  const chunks = async () => {
    const { uploadId } = await readRow(one.db, 'fetches')
    return uploadId === null ? [] : listRows(one.db, 'uploadChunks', { uploadId })
  }
  await expect.poll(async () => (await chunks()).length).toBe(2)
  closing.abort()
  await working
  files.answers['/clip.mp4'] = serveBytes(bytes)
  files.asked.length = 0
  await Promise.all([
    runDueFetches({ ...other.deps, log: other.log }),
    runDueFetches({ ...one.deps, log: one.log }),
  ])
  await expect.poll(async () => (await readRow(one.db, 'fetches')).state).toBe('done')
  expect(files.asked.map(({ headers }) => headers.range)).toEqual([`bytes=${4 * MB}-`])
  expect(await listRows(one.db, 'videos', { title: 'From afar' })).toHaveLength(1)
}, 60_000)
