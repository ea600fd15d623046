import { randomBytes } from 'node:crypto'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { makeClip } from '#test/support/clips.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import {
  type MadePeertubeVideo,
  PASSWORD,
  peertubeFiles,
  STREAM_KEY,
  uuidOf,
  writeUnpacked,
} from '#test/support/peertube.ts'
import { makePng } from '#test/support/png.ts'
import { deflateZeros, makeZip, type ZippedFile } from '#test/support/zip.ts'

const ENGLISH = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello there\n'
const GERMAN = 'WEBVTT\n\n00:00.000 --> 00:01.000\nGuten Tag\n'

/** The hostile archives that the quick test tries. */
const TRIED_FIRST = ['outside', 'link', 'zeros', 'count', 'lying', 'sum', 'entries']

let site: ImportSite
let folder: string
let dataFolder: string
let db: Database
let archive: string

beforeEach(async () => {
  site = await openImportSite()
  ;({ folder, dataFolder, db } = site)
  archive = join(folder, 'ann.zip')
})

afterEach(() => site.remove())

const bring = (options: { args?: string[]; env?: Record<string, string>; from?: string } = {}) =>
  site.run(
    ['peertube', options.from ?? archive, '--owner', 'ann', ...(options.args ?? [])],
    options.env,
  )

const writeArchive = (files: readonly ZippedFile[]) => writeFile(archive, makeZip(files))

async function makeRecording(solid: string, options: { seconds?: number } = {}): Promise<Buffer> {
  const path = join(folder, `${solid}.mp4`)
  await makeClip({ path, solid, ...options })
  return readFile(path)
}

/** Returns recordings that differ in a box that players ignore. */
function variants(model: Buffer, count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const free = Buffer.alloc(16)
    free.writeUInt32BE(16, 0)
    free.write('free', 4)
    free.writeUInt32BE(index, 8)
    return Buffer.concat([model, free])
  })
}

async function makeVideos(): Promise<MadePeertubeVideo[]> {
  const [red, green, blue, grey] = await Promise.all(
    ['0xc83c28', '0x28c83c', '0x283cc8', '0x808080'].map((solid) => makeRecording(solid)),
  )
  return [
    {
      ...{ name: 'Ace on the roof', file: red ?? null, description: 'At night', views: 12 },
      ...{ tags: ['csgo', 'Clutch'], publishedAt: '2023-01-02T03:04:05.678Z' },
      captions: { en: ENGLISH, de: GERMAN },
      thumbnail: makePng(320, 180),
      chapters: [
        { timecode: 0, title: 'Start' },
        { timecode: 1, title: 'Ace' },
      ],
      more: { commentsPolicy: 2, downloadEnabled: false },
    },
    {
      ...{ name: 'Hidden', file: green ?? null, privacy: 2, category: 1 },
      publishedAt: '2024-01-01T00:00:00.000Z',
    },
    {
      ...{ name: 'Locked', file: blue ?? null, privacy: 5 },
      publishedAt: '2025-01-01T00:00:00.000Z',
    },
    {
      ...{ name: 'Inside', file: grey ?? null, privacy: 4 },
      publishedAt: '2025-02-01T00:00:00.000Z',
    },
    { name: 'Stream', file: null, isLive: true },
    { name: 'Elsewhere', file: null },
  ]
}

test('an archive of PeerTube comes with counts, times, levels, captions, chapters and playlists, once', async () => {
  const playlists = [
    { name: 'Best', videos: [1, 0, 77] },
    { name: 'Later', videos: [0], type: 2, privacy: 3 },
  ]
  const channels = [
    { name: 'ann_channel', displayName: 'Ann' },
    { name: 'other', displayName: 'Other things' },
  ]
  const videos = await makeVideos()
  if (videos[1]) videos[1].channel = 'other'
  const files = peertubeFiles({ videos, playlists, channels, comments: 3 })
  await writeArchive(files)

  const done = await bring()
  expect(done.err).toBe(
    [
      'Did not come:',
      '  Stream: It is a live stream. Only recordings can be imported.',
      '  Elsewhere: The archive was made without its file. Export it again with the video files.\n',
    ].join('\n'),
  )
  expect(done.code).toBe(1)
  expect(done.out).toMatch(/^Imported 4 videos, .*\. 0 were there already\.$/m)
  expect(done.out).toContain('Imported 4 playlists.\n')
  expect(done.out).toContain(
    'Locked: It is private. Its password was not read; a share link can have a new one.\n',
  )
  expect(done.out).toContain('The playlist "Best" comes without 1 video of others.\n')
  expect(done.out).toContain('3 comments cannot come')
  expect(await site.listVideos()).toEqual([
    {
      ...{ title: 'Ace on the roof', description: 'At night', category: 'CS2', viewCount: 12 },
      ...{ tags: '["csgo","Clutch"]', visibility: 'public' },
      publishedAt: '2023-01-02T03:04:05.678Z',
    },
    {
      ...{ title: 'Hidden', description: '', category: 'Other', viewCount: 0, tags: '["Music"]' },
      ...{ visibility: 'unlisted', publishedAt: '2024-01-01T00:00:00.000Z' },
    },
    {
      ...{ title: 'Locked', description: '', category: 'Other', viewCount: 0, tags: '[]' },
      ...{ visibility: 'private', publishedAt: '2025-01-01T00:00:00.000Z' },
    },
    {
      ...{ title: 'Inside', description: '', category: 'Other', viewCount: 0, tags: '[]' },
      ...{ visibility: 'members', publishedAt: '2025-02-01T00:00:00.000Z' },
    },
  ])
  const pictures = await db.selectFrom('videos').select('thumbnailUrl').orderBy('id').execute()
  expect(pictures.map(({ thumbnailUrl }) => /\/(\w+)-/.exec(thumbnailUrl ?? '')?.[1])).toEqual([
    ...['thumbnail', 'poster', 'poster', 'poster'],
  ])
  const first = db.selectFrom('videos').where('id', '=', 1)
  expect(await first.select(['commentsOff', 'allowsDownload']).execute()).toEqual([
    { commentsOff: 1, allowsDownload: 0 },
  ])
  const captions = await db
    .selectFrom('captions')
    .innerJoin('videos', 'videos.id', 'captions.videoId')
    .select(['videoId', 'language', 'label', 'file', 'mediaKey'])
    .orderBy('captions.id')
    .execute()
  expect(captions).toMatchObject([
    { videoId: 1, language: 'en', label: 'English' },
    { videoId: 1, language: 'de', label: 'German' },
  ])
  const texts = captions.map(({ mediaKey, file }) =>
    readFile(join(dataFolder, 'media', mediaKey, file), 'utf8'),
  )
  expect((await Promise.all(texts)).map((text) => text.split('\n').at(-2))).toEqual([
    'Hello there',
    'Guten Tag',
  ])
  const chapters = db.selectFrom('moments').select(['videoId', 'atSeconds', 'title'])
  expect(await chapters.where('source', '=', 'chapter').execute()).toEqual([
    { videoId: 1, atSeconds: 0, title: 'Start' },
    { videoId: 1, atSeconds: 1, title: 'Ace' },
  ])
  const listItems = () =>
    db
      .selectFrom('playlists')
      .innerJoin('playlistItems', 'playlistItems.playlistId', 'playlists.id')
      .select(['title', 'kind', 'visibility', 'videoId'])
      .orderBy('playlists.id')
      .orderBy('position')
      .execute()
  expect(await listItems()).toEqual([
    { title: 'Best', kind: 'list', visibility: 'public', videoId: 2 },
    { title: 'Best', kind: 'list', visibility: 'public', videoId: 1 },
    { title: 'Watch later', kind: 'watch-later', visibility: 'private', videoId: 1 },
    { title: 'Ann', kind: 'list', visibility: 'public', videoId: 1 },
    { title: 'Ann', kind: 'list', visibility: 'public', videoId: 3 },
    { title: 'Ann', kind: 'list', visibility: 'public', videoId: 4 },
    { title: 'Other things', kind: 'list', visibility: 'public', videoId: 2 },
  ])
  expect(await db.selectFrom('notifications').select('id').execute()).toEqual([])

  const before = await listItems()
  const again = await bring()
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 4 were there already\.$/m)
  expect(await site.listVideos()).toHaveLength(4)
  expect(await listItems()).toEqual(before)
  expect(await db.selectFrom('captions').select('id').execute()).toHaveLength(2)
  expect(await readdir(join(dataFolder, 'work'))).toEqual([])

  for (const secret of [PASSWORD, STREAM_KEY, 'correct horse']) {
    expect(done.out + done.err).not.toContain(secret)
    for (const name of await readdir(dataFolder)) {
      if (!name.startsWith('clutch.db')) continue
      expect((await readFile(join(dataFolder, name))).includes(secret)).toBe(false)
    }
  }
})

test('hostile archives are refused with a sentence, and nothing of them is left', async () => {
  const file = await makeRecording('0xc83c28')
  const good = peertubeFiles({ videos: [{ name: 'Good', file }] })
  const noise = randomBytes(1_000_000)
  const zeros = { content: '', packed: deflateZeros(10_240) }
  const with1 = (more: ZippedFile) => makeZip([...good, more])
  const many = makeZip(good, { saidCount: 1_000_000 })
  const refused: [string, Buffer, string | RegExp][] = [
    [
      'outside',
      with1({ name: '../../outside.mp4', content: 'x' }),
      'its directory is invalid (invalid relative path: ../../outside.mp4).',
    ],
    [
      'absolute',
      with1({ name: '/etc/outside', content: 'x' }),
      'its directory is invalid (absolute path: /etc/outside).',
    ],
    [
      'link',
      with1({ name: 'files/\u001b[2Jlink', content: '/etc/passwd', said: { unixMode: 0o120777 } }),
      'files/[2Jlink is a link.',
    ],
    [
      'locked',
      with1({ name: 'files/locked', content: 'x', said: { flags: 1 } }),
      'files/locked is encrypted.',
    ],
    [
      'twice',
      makeZip([...good, ...good.slice(0, 1)]),
      `it has two files files/videos/video-files/${uuidOf(0)}.mp4.`,
    ],
    [
      'zeros',
      with1({ name: 'files/zeros.mp4', ...zeros, said: { bytes: 4_000_000_000 } }),
      /^files\/zeros\.mp4 is no recording, since its 10\.\dMB unpack to 3\.7GB\.$/,
    ],
    ['count', many, 'it has 1,000,000 files, and at most 100,000 are read.'],
    ['cut', makeZip(good).subarray(0, 5000), /^it is no ZIP archive \(.*\)\.$/],
    ['text', Buffer.from('This is no archive.'), /^it is no ZIP archive \(.*\)\.$/],
    [
      'large',
      makeZip([
        { name: 'peertube/videos.json', content: '', packed: noise, said: { bytes: 70_000_000 } },
      ]),
      'peertube/videos.json: The file is too large.',
    ],
    [
      'lying',
      makeZip([{ name: 'peertube/videos.json', ...zeros, said: { bytes: 1000 } }]),
      'peertube/videos.json: The file is damaged in the archive.',
    ],
    [
      'sum',
      makeZip([{ name: 'peertube/videos.json', content: '{"videos":[]}', said: { crc32: 1 } }]),
      'peertube/videos.json: The file is damaged in the archive.',
    ],
    [
      'values',
      makeZip([
        {
          name: 'peertube/videos.json',
          ...{ content: `{"videos":[${'{},'.repeat(20_000_000)}{}]}`, stored: true },
        },
      ]),
      'peertube/videos.json is damaged.',
    ],
    [
      'entries',
      makeZip([{ name: 'peertube/videos.json', content: `{"videos":[${'7,'.repeat(100_000)}7]}` }]),
      'peertube/videos.json: it has more than 100,000 entries.',
    ],
    [
      'json',
      makeZip([{ name: 'peertube/videos.json', content: '{"videos":' }]),
      'peertube/videos.json is damaged.',
    ],
  ]
  for (const [name, bytes, reason] of quickCases(refused, TRIED_FIRST)) {
    await writeFile(archive, bytes)
    const { code, err, out } = await bring()
    expect({ name, code, out }).toEqual({ name, code: 1, out: '' })
    const start = `${archive} cannot be imported: `
    expect(err.startsWith(start), err).toBe(true)
    const said = err.slice(start.length, -1)
    if (typeof reason === 'string') expect(said).toBe(reason)
    else expect(said).toMatch(reason)
    expect(await site.listVideos(), name).toEqual([])
    expect(await site.listLeft(), name).toEqual([])
  }
  await writeArchive([{ name: 'peertube/account.json', content: '{}' }])
  const err = `${archive} is not an archive of PeerTube.\n`
  expect(await bring()).toEqual({ code: 1, out: '', err })
})

test('damaged files of an archive are named, and the others come', async () => {
  const [bad, short, lying, good] = variants(await makeRecording('0xc83c28'), 4)
  const videos = [bad, short, lying, good].map(
    (file, index): MadePeertubeVideo => ({ name: `Video ${index}`, file: file ?? null }),
  )
  const files = peertubeFiles({ videos })
  const outside = { videoFile: '../../outside.mp4', thumbnail: null, captions: {} }
  const said = [{ crc32: 7 }, { bytes: 9_000_000 }, { bytes: 1_000_000 }]
  for (const [index, values] of said.entries()) {
    const file = files.find(({ name }) => name.endsWith(`${uuidOf(index)}.mp4`))
    if (file) file.said = values
    if (file && index === 2) file.packed = deflateZeros(10_240)
  }
  const more = { name: 'Outside', file: null, more: { uuid: uuidOf(50), archiveFiles: outside } }
  const list = peertubeFiles({ videos: [...videos, more] }).filter(
    ({ name }) => name === 'peertube/videos.json',
  )
  await writeArchive([...files.filter(({ name }) => name !== 'peertube/videos.json'), ...list])
  for (const args of [['--dry-run'], []]) {
    const done = await bring({ args })
    expect(done.code).toBe(1)
    expect(done.err.split('\n').slice(1, -1)).toEqual([
      '  Outside: The file is missing.',
      ...[0, 1, 2].map((index) => `  Video ${index}: The file is damaged in the archive.`),
    ])
    expect(done.out).toContain(args.length === 0 ? 'Imported 1 video,' : 'Would import 1 video,')
  }
  expect(await site.listVideos()).toMatchObject([{ title: 'Video 3' }])
  expect(await db.selectFrom('importedVideos').select('state').execute()).toEqual([
    { state: 'done' },
  ])
  expect(await site.listLeft()).toHaveLength(1)
})

test('an unpacked archive comes from its folder, and links out of it do not', async () => {
  const [one, two] = variants(await makeRecording('0xc83c28'), 2)
  const videos = [one, two].map((file, index) => ({ name: `Video ${index}`, file: file ?? null }))
  const unpacked = join(folder, 'unpacked')
  const files = peertubeFiles({ videos })
  await writeUnpacked(
    unpacked,
    files.filter(({ name }) => !name.endsWith(`${uuidOf(0)}.mp4`)),
  )
  const outside = join(folder, '0xc83c28.mp4')
  await symlink(outside, join(unpacked, 'files/videos/video-files', `${uuidOf(0)}.mp4`))
  const done = await bring({ from: unpacked })
  expect(done.err).toBe('Did not come:\n  Video 0: The file lies outside the library.\n')
  expect(await site.listVideos()).toMatchObject([{ title: 'Video 1' }])
})

longTest(
  'a hundred videos come whole and once from an import that is killed twice',
  async () => {
    const count = 100
    const recordings = variants(await makeRecording('0xc83c28', { seconds: 1 }), count)
    const levels = ['public', 'unlisted', 'private', 'members', 'private'] as const
    const timeOf = (index: number) => new Date(Date.UTC(2024, 2, 1, index)).toISOString()
    const videos = recordings.map((file, index): MadePeertubeVideo => {
      const captions: Record<string, string> = index % 2 === 0 ? { en: ENGLISH } : {}
      return {
        ...{ name: `Video ${index}`, file, views: index % 7, privacy: 1 + (index % 5), captions },
        ...{ publishedAt: timeOf(index), chapters: [{ timecode: 0.5, title: `Part ${index}` }] },
      }
    })
    const playlists = [{ name: 'All', videos: videos.map((_, index) => count - 1 - index) }]
    await writeArchive(peertubeFiles({ videos, playlists }))
    for (const step of ['import.published:31', 'complete.published:40']) {
      const killed = await bring({ env: { CLUTCH_STOP_AT: step } })
      expect(killed.out).not.toContain('Imported')
    }
    expect(await bring()).toMatchObject({ code: 0, err: '' })
    const came = await site.listVideos()
    expect(
      came.map(({ title, publishedAt, viewCount, visibility }) => [
        title,
        publishedAt,
        viewCount,
        visibility,
      ]),
    ).toEqual(
      videos.map(({ name, views }, index) => [name, timeOf(index), views, levels[index % 5]]),
    )
    expect(await db.selectFrom('captions').select('id').execute()).toHaveLength(count / 2)
    const chapters = db.selectFrom('moments').select('title').where('source', '=', 'chapter')
    expect(await chapters.execute()).toHaveLength(count)
    const items = db.selectFrom('playlistItems').select('videoId').orderBy('position')
    expect((await items.execute()).map(({ videoId }) => videoId)).toEqual(
      videos.map((_, index) => count - index),
    )
    expect(await readdir(join(dataFolder, 'uploads'))).toEqual([])
    // What a killed completion leaves here is deleted when the site starts.
    const work = await readdir(join(dataFolder, 'work'))
    expect(work.filter((name) => !name.startsWith('dropped-'))).toEqual([])
    expect(await readdir(join(dataFolder, 'media'))).toHaveLength(count)
  },
  600_000,
)
