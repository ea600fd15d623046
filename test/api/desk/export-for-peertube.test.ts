import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDueExports } from '#server/desk/account-data/make-data-export.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { makeClip } from '#test/support/clips.ts'
import { openImportSite } from '#test/support/import-site.ts'
import { makePng } from '#test/support/png.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { readStored, storeFiles } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword } from '#test/support/world.ts'
import { readZipFiles } from '#test/support/zip.ts'

const URL = '/api/settings/data/download'
/** What PeerTube's import opens. */
const READ_BY_PEERTUBE = [
  ...['account', 'user-settings', 'channels', 'blocklist', 'following', 'videos', 'likes'],
  ...['dislikes', 'video-playlists', 'video-history', 'watched-words-lists'],
  'automatic-tag-policies',
]
const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask } = callsOf(site)
const key = (number: number) => number.toString(16).padStart(32, '0')

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function makeRecording(folder: string, solid: string): Promise<Buffer> {
  const path = join(folder, `${solid}.mp4`)
  await makeClip({ path, solid })
  return readFile(path)
}

/** Gives the member videos of each level, with captions, chapters and playlists. */
async function fill(ann: TestMember): Promise<void> {
  const folder = await makeFolder()
  const createdAt = timestamp()
  const levels = ['public', 'unlisted', 'members', 'private'] as const
  const ids: number[] = []
  for (const [index, visibility] of levels.entries()) {
    const mediaKey = key(index + 1)
    const source = await makeRecording(folder, `0x${index}0${index}0ff`)
    await storeFiles(site, mediaKey, { source, 'poster-1.jpg': makePng(64, 36) })
    const id = await site.addVideo(ann, {
      ...{ mediaKey, visibility, title: `Video ${index}`, description: `Words ${index}` },
      ...{ thumbnailUrl: `/media/${mediaKey}/poster-1.jpg`, viewCount: index * 3 },
      ...{ category: index === 0 ? 'CS2' : 'Other', tags: JSON.stringify(['clutch', `t${index}`]) },
      ...{ publishedAt: `2024-0${index + 1}-02T03:04:05.678Z`, duration: 2 },
      ...{ commentsOff: index === 1 ? 1 : 0, allowsDownload: index === 2 ? 0 : 1 },
    })
    ids.push(id)
    const chapter = { videoId: id, userId: ann.id, source: 'chapter', weight: 1 } as const
    for (const atSeconds of [0, 1]) {
      const title = `Part ${atSeconds} of ${index}`
      await addRows(site.db, 'moments', { ...chapter, atSeconds, title, createdAt })
    }
    if (index > 1) continue
    for (const [language, label] of [
      ['en', 'English'],
      ['de', 'German'],
    ] as const) {
      const file = `captions-${language}.vtt`
      const text = `WEBVTT\n\n00:00.000 --> 00:01.000\n${label} ${index}\n`
      await storeFiles(site, mediaKey, { [file]: text })
      await addRows(site.db, 'captions', { videoId: id, language, label, file, createdAt })
    }
  }
  await site.addVideo(ann, { mediaKey: key(9), title: 'Without a file' })
  for (const [title, visibility] of [
    ['Best', 'public'],
    ['Mine', 'private'],
  ] as const) {
    const { id } = await ask<{ id: number }>(ann, 'playlist.create', { title, visibility })
    const playlistId = id
    for (const videoId of title === 'Best' ? [...ids].reverse() : ids.slice(0, 1)) {
      await ask(ann, 'playlist.addVideo', { playlistId, videoId })
    }
  }
  await addRow(site.db, 'posts', { channelId: ann.id, content: 'My post', createdAt })
}

/** What the round trip keeps, without ids. */
async function describe(db: Database, username: string, readCaptions: ReadCaptions) {
  const videos = await db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .select(['videos.id', 'title', 'description', 'category', 'tags', 'visibility', 'mediaKey'])
    .select(['viewCount', 'publishedAt', 'commentsOff', 'allowsDownload'])
    .where('username', '=', username)
    .where('title', '<>', 'Without a file')
    .orderBy('publishedAt')
    .execute()
  const described = []
  for (const { id, mediaKey, ...video } of videos) {
    const captions = db.selectFrom('captions').select(['language', 'label', 'file'])
    const found = await captions.where('videoId', '=', id).orderBy('id').execute()
    const texts = found.map(async ({ file, ...caption }) => {
      const text = await readCaptions(mediaKey, file)
      return { ...caption, words: text.trim().split('\n').at(-1) }
    })
    const chapters = db.selectFrom('moments').select(['atSeconds', 'title'])
    described.push({
      ...video,
      captions: await Promise.all(texts),
      chapters: await chapters.where('videoId', '=', id).orderBy('atSeconds').execute(),
    })
  }
  const playlists = await db
    .selectFrom('playlists')
    .innerJoin('users', 'users.id', 'playlists.userId')
    .innerJoin('playlistItems', 'playlistItems.playlistId', 'playlists.id')
    .innerJoin('videos', 'videos.id', 'playlistItems.videoId')
    .select(['playlists.title', 'playlists.visibility', 'videos.title as video'])
    .where('username', '=', username)
    .orderBy('playlists.id')
    .orderBy('position')
    .execute()
  return { videos: described, playlists }
}
type ReadCaptions = (mediaKey: string, file: string) => Promise<string>

test('an anonymous video is private in the export, as other sites would show whose it is', async () => {
  const bob = await addMemberWithPassword(site, 'bob')
  await storeFiles(site, key(20), { source: 'bytes' })
  await site.addVideo(bob, { mediaKey: key(20), visibility: 'public', isAnonymous: 1 })
  await ask(bob, 'settings.askForData', { format: 'peertube' })
  await makeDueExports(site.deps)
  const archive = join(await makeFolder(), 'bob.zip')
  await writeFile(archive, (await site.get(URL, { as: bob })).rawPayload)
  const files = await readZipFiles(archive)
  const { videos } = JSON.parse(`${files.get('peertube/videos.json')}`)
  expect(videos).toMatchObject([{ privacy: 3 }])
})

test('an export for PeerTube is complete, comes in ranges, and another site imports all of it', async () => {
  const ann = await addMemberWithPassword(site, 'ann')
  await fill(ann)
  await ask(ann, 'settings.askForData', { format: 'peertube' })
  await makeDueExports(site.deps)
  const download = (headers: Record<string, string> = {}) => site.get(URL, { as: ann, headers })
  const answer = await download()
  const whole = answer.rawPayload
  expect(answer.headers).toMatchObject({
    ...{ 'content-type': 'application/zip', 'content-length': `${whole.length}` },
    'content-disposition': 'attachment; filename="clutch-peertube.zip"',
  })
  const state = await ask(ann, 'settings.dataExport')
  expect(state).toMatchObject({ state: 'done', format: 'peertube', bytes: whole.length })
  const pieces: Buffer[] = []
  for (let start = 0; start < whole.length; start += 10_007) {
    const range = `bytes=${start}-${start + 10_006}`
    pieces.push((await download({ range, 'if-range': `${answer.headers.etag}` })).rawPayload)
  }
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(hashOf(Buffer.concat(pieces))).toBe(hashOf(whole))

  const archive = join(await makeFolder(), 'ann.zip')
  await writeFile(archive, whole)
  const files = await readZipFiles(archive)
  const listed = [...files.keys()].filter((name) => name.startsWith('peertube/'))
  expect(listed.sort()).toEqual(READ_BY_PEERTUBE.map((name) => `peertube/${name}.json`).sort())
  const { videos } = JSON.parse(`${files.get('peertube/videos.json')}`)
  expect(videos).toMatchObject([
    { name: 'Video 0', privacy: 1, category: 7, tags: ['CS2', 'clutch', 't0'], duration: 2 },
    { name: 'Video 1', privacy: 2, commentsPolicy: 2, channel: { name: 'ann_channel' } },
    { name: 'Video 2', privacy: 4, downloadEnabled: false, captions: [] },
    { name: 'Video 3', privacy: 3, originallyPublishedAt: '2024-04-02T03:04:05.678Z' },
  ])
  for (const { archiveFiles } of videos) {
    const paths = [archiveFiles.videoFile, archiveFiles.thumbnail]
    for (const path of [...paths, ...Object.values<string>(archiveFiles.captions)]) {
      expect(files.has(path.replace('../', '')), path).toBe(true)
    }
  }

  const other = await openImportSite()
  onTestFinished(() => other.remove())
  const done = await other.run(['peertube', archive, '--owner', 'ann'])
  expect(done).toMatchObject({ code: 0, err: '' })
  const readHere: ReadCaptions = async (mediaKey, file) =>
    `${await readStored(site, mediaKey, file)}`
  const readThere: ReadCaptions = (mediaKey, file) =>
    readFile(join(other.dataFolder, 'media', mediaKey, file), 'utf8')
  const before = await describe(site.db, 'ann', readHere)
  expect(before.videos).toHaveLength(4)
  expect(before.playlists).toHaveLength(5)
  expect(await describe(other.db, 'ann', readThere)).toEqual(before)

  const again = await other.run(['peertube', archive, '--owner', 'ann'])
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 4 were there already\.$/m)
})
