import { pbkdf2Sync } from 'node:crypto'
import { appendFile, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyLinkPassword } from '#server/account/auth/password.ts'
import type { Database } from '#server/platform/db/database.ts'
import { makeClip } from '#test/support/clips.ts'
import { type MadeVideo, madePath, writeFireshare } from '#test/support/fireshare.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { startServer } from '#test/support/server-process.ts'
import { until } from '#test/support/until.ts'

const SALT = 'aLg4tQ2xPq0Zr9Wm'
const ROUNDS = 260_000
const hashed = (password: string) =>
  `pbkdf2:sha256:${ROUNDS}$${SALT}$${pbkdf2Sync(password, SALT, ROUNDS, 32, 'sha256').toString('hex')}`

let site: ImportSite
let folder: string
let dataFolder: string
let db: Database

beforeEach(async () => {
  site = await openImportSite()
  ;({ folder, dataFolder, db } = site)
})

afterEach(() => site.remove())

const bring = (options: { args?: string[]; env?: Record<string, string> } = {}) =>
  site.run(['fireshare', folder, '--owner', 'ann', ...(options.args ?? [])], options.env)

async function makeVideo(path: string, options: { seconds?: number; solid?: string } = {}) {
  await makeClip({ path: await madePath(folder, path), ...options })
}

const listVideos = () => site.listVideos()

test.each(quickCases([['1.6'], ['1.8']] as const, ['1.8']))(
  'a library of Fireshare %s comes with its counts, times and levels, once',
  async (version) => {
    const videos: MadeVideo[] = [
      {
        ...{ path: 'Rust/one.mp4', title: 'Ace on the roof', description: 'At night', views: 3 },
        ...{ createdAt: '2023-01-02 03:04:05.678901', game: 'Counter-Strike 2', tags: ['Clutch'] },
      },
      {
        ...{ path: 'two.mp4', title: 'Hidden', isPrivate: true, game: 'Deep Rock Galactic' },
        ...{ createdAt: '2024-01-01 00:00:00.000000' },
      },
      {
        ...{ path: 'three.mp4', title: 'Locked', passwordHash: hashed('open sesame') },
        ...{ createdAt: '2025-01-01 00:00:00.000000', crop: [0.5, 3.25] as [number, number] },
      },
    ]
    await writeFireshare(folder, { version, videos, images: 2 })
    await makeVideo('Rust/one.mp4', { solid: '0xc83c28' })
    await makeVideo('two.mp4', { solid: '0x28c83c' })
    await makeVideo('three.mp4', { seconds: 4, solid: '0x283cc8' })

    if (isLongForm) {
      const tried = await bring({ args: ['--dry-run'] })
      expect(tried).toMatchObject({ code: 0, err: '' })
      expect(tried.out).toMatch(/^Would import 3 videos, .*\. 0 were there already\.\n$/m)
      expect([await listVideos(), await site.listLeft()]).toEqual([[], []])
    }

    const done = await bring()
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toMatch(/^Imported 3 videos, .*\. 0 were there already\.\n$/m)
    expect(done.out).toContain('three.mp4: It comes uncropped; the crop is a clip.\n')
    expect(done.out).toContain('2 images of Fireshare cannot come')
    expect(await listVideos()).toEqual([
      {
        ...{ title: 'Ace on the roof', description: 'At night', category: 'CS2', viewCount: 3 },
        ...{ tags: '["Clutch"]', visibility: 'public', publishedAt: '2023-01-02T03:04:05.678Z' },
      },
      {
        ...{ title: 'Hidden', description: '', category: 'Other', viewCount: 0 },
        ...{ tags: '["Deep Rock Galactic"]', visibility: 'unlisted' },
        publishedAt: '2024-01-01T00:00:00.000Z',
      },
      {
        ...{ title: 'Locked', description: '', category: 'Other', viewCount: 0, tags: '[]' },
        ...{ visibility: 'private', publishedAt: '2025-01-01T00:00:00.000Z' },
      },
    ])
    const clips = db.selectFrom('clips').select(['title', 'videoId', 'startSeconds', 'endSeconds'])
    expect(await clips.select('createdAt').execute()).toEqual([
      {
        ...{ title: 'Locked', videoId: 3, startSeconds: 0.5, endSeconds: 3.25 },
        createdAt: '2025-01-01T00:00:00.000Z',
      },
    ])
    const links = await db.selectFrom('shareLinks').select(['videoId', 'passwordHash']).execute()
    expect(links).toMatchObject([{ videoId: 3 }])
    expect(done.out).toMatch(/"Locked" .* https:\/\/clips\.example\.org\/s\/[\w-]{22}\n/)
    const isRight = (password: string) => verifyLinkPassword(links[0]?.passwordHash ?? '', password)
    expect([await isRight('open sesame'), await isRight('open')]).toEqual([true, false])
    expect(await db.selectFrom('notifications').select('id').execute()).toEqual([])

    const audit = db.selectFrom('auditLog').select(['actorName', 'action', 'targetName', 'reason'])
    expect(await audit.execute()).toEqual([
      {
        ...{ actorName: 'Clutch', action: 'member.import', targetName: 'ann' },
        reason: 'From fireshare: 3 videos imported, 0 there before, 0 problems.',
      },
    ])

    const again = await bring()
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toMatch(/^Imported 0 videos, .*\. 3 were there already\.\n$/m)
    expect(await listVideos()).toHaveLength(3)
    expect(await clips.execute()).toHaveLength(1)
  },
)

test('what cannot come is named with its reason, and nothing of it is left', async () => {
  const outside = join(dataFolder, 'outside.mp4')
  await makeClip({ path: outside })
  const control = 'a\u001b[2Jb\u202e\n.mp4'
  const names = ['../outside.mp4', 'link.mp4', outside, control, 'text.mp4', 'zeros.mp4']
  const videos = [...names, 'large.mp4', 'short.mp4'].map((path): MadeVideo => ({ path }))
  const crop: [number, number] = [0, 0.5]
  videos.push({ path: 'good.mp4', crop, passwordHash: 'scrypt:32768:8:1$a$b' })
  await writeFireshare(folder, { version: '1.8', videos })
  await makeVideo('good.mp4')
  await symlink(outside, await madePath(folder, 'link.mp4'))
  await writeFile(await madePath(folder, 'text.mp4'), 'This is no video.'.repeat(100))
  await writeFile(await madePath(folder, 'zeros.mp4'), Buffer.alloc(100_000))
  await writeFile(await madePath(folder, 'short.mp4'), '')
  const large = await open(await madePath(folder, 'large.mp4'), 'w')
  await large.truncate(10_000_000_000)
  await large.close()

  const done = await bring()
  expect(done.code).toBe(1)
  const problems = done.err.split('\n').slice(1, -1)
  expect(problems.map((line) => line.trim())).toEqual([
    ...['../outside.mp4', 'link.mp4', outside].map(
      (path) => `${path}: The file lies outside the library.`,
    ),
    'a[2Jb .mp4: The file is missing.',
    'large.mp4: The file is larger than 500MB.',
    'short.mp4: The file is empty.',
    expect.stringMatching(/^text\.mp4: .*\.$/),
    expect.stringMatching(/^zeros\.mp4: .*\.$/),
    'good.mp4: The video is here, but not its crop: A clip is 2 to 180 seconds long.',
  ])
  expect(done.out).toContain('good.mp4: It is private, since its password cannot be taken over.')
  expect(await listVideos()).toMatchObject([{ title: 'Video 8', visibility: 'private' }])
  expect(await db.selectFrom('importedVideos').select('state').execute()).toEqual([
    { state: 'done' },
  ])
  expect(await readdir(join(dataFolder, 'uploads'))).toEqual([])
  expect(await readdir(join(dataFolder, 'media'))).toHaveLength(1)
  expect(await db.selectFrom('shareLinks').select('id').execute()).toEqual([])

  await writeFile(join(folder, 'db.sqlite'), await readFile(join(dataFolder, 'clutch.db')))
  const err = `${join(folder, 'db.sqlite')} is not a database of Fireshare.\n`
  expect(await bring()).toEqual({ code: 1, out: '', err })
})

longTest(
  'another database, a missing one and a wrong call are refused with a sentence',
  async () => {
    const path = join(folder, 'db.sqlite')
    expect(await bring()).toMatchObject({ code: 1, err: `There is no db.sqlite in ${folder}.\n` })
    await writeFireshare(folder, { version: '1.6', videos: [] })
    await rm(path)
    await writeFile(path, 'x'.repeat(5000))
    const wrong = { code: 1, err: `${path} is not a database of Fireshare.\n`, out: '' }
    expect(await bring()).toEqual(wrong)
    await rm(path)
    await writeFile(path, await readFile(join(dataFolder, 'clutch.db')))
    expect(await bring()).toEqual(wrong)
    expect(await bring({ args: ['--owner', 'nobody'] })).toMatchObject({
      ...{ code: 1, err: "No member named 'nobody' may publish videos.\n" },
    })
    expect(await bring({ args: ['--sideways'] })).toMatchObject({ code: 2 })
  },
)

longTest('a file that its owner has uploaded before does not come again', async () => {
  await writeFireshare(folder, { version: '1.8', videos: [{ path: 'one.mp4' }] })
  await makeVideo('one.mp4')
  expect(await bring()).toMatchObject({ code: 0 })
  await db.deleteFrom('importedVideos').execute()
  const again = await bring()
  expect(again).toMatchObject({ code: 0, err: '' })
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 1 were there already\.\n$/m)
  expect(await listVideos()).toHaveLength(1)
})

const steps = ['import.noted', 'chunk.recorded', 'complete.prepared', 'complete.published']

longTest('an import that is killed again and again brings nothing twice', async () => {
  const videos = Array.from({ length: 6 }, (_, index): MadeVideo => {
    const crop: [number, number] = [0, 2]
    return { path: `${index}.mp4`, views: index, crop, passwordHash: hashed(`${index}`) }
  })
  await writeFireshare(folder, { version: '1.8', videos })
  for (const { path, views } of videos) await makeVideo(path, { solid: `0x${views}0${views}0ff` })
  for (const step of [...steps, 'import.published', 'import.done', 'complete.publishing']) {
    const killed = await bring({ env: { CLUTCH_STOP_AT: step } })
    expect(killed.out, step).not.toContain('Imported')
  }
  const done = await bring()
  expect(done).toMatchObject({ code: 0, err: '' })
  expect((await listVideos()).map(({ viewCount }) => viewCount)).toEqual([0, 1, 2, 3, 4, 5])
  const links = await db.selectFrom('shareLinks').select('videoId').execute()
  const clips = await db.selectFrom('clips').select('videoId').execute()
  expect([links.length, clips.length]).toEqual([6, 6])
  expect(await readdir(join(dataFolder, 'uploads'))).toEqual([])
  expect(await readdir(join(dataFolder, 'media'))).toHaveLength(6)
})

longTest(
  'five hundred videos come beside a running site',
  async () => {
    const count = 500
    const site = await startServer({ dataFolder, env: { PROCESSING_JOBS: '0' } })
    try {
      const videos = Array.from({ length: count }, (_, index): MadeVideo => {
        const isPrivate = index % 3 === 0
        const minute = String(index % 60).padStart(2, '0')
        const createdAt = `2024-03-${String(1 + (index % 28)).padStart(2, '0')} 10:${minute}:00.000000`
        return { path: `${index % 7}/${index}.mp4`, isPrivate, views: index % 5, createdAt }
      })
      await writeFireshare(folder, { version: '1.8', videos })
      await makeVideo('model.mp4', { seconds: 1 })
      const model = await readFile(join(folder, 'videos', 'model.mp4'))
      for (const [index, { path }] of videos.entries()) {
        const target = await madePath(folder, path)
        await writeFile(target, model)
        // Players ignore this box.
        const free = Buffer.alloc(16)
        free.writeUInt32BE(16, 0)
        free.write('free', 4)
        free.writeUInt32BE(index, 8)
        await appendFile(target, free)
      }
      for (const times of [120, 150]) {
        const killed = await bring({ env: { CLUTCH_STOP_AT: `complete.published:${times}` } })
        expect(killed.out).not.toContain('Imported')
      }
      const done = await bring()
      expect(done).toMatchObject({ code: 0, err: '' })
      const came = await listVideos()
      expect(came).toHaveLength(count)
      const sum = (list: { viewCount: number }[]) =>
        list.reduce((total, { viewCount }) => total + viewCount, 0)
      expect(sum(came)).toBe(1000)
      expect(came.filter(({ visibility }) => visibility === 'unlisted')).toHaveLength(167)
      const times = came.map(({ publishedAt }) => publishedAt).sort()
      const wanted = videos.map(
        ({ createdAt = '' }) => `${createdAt.slice(0, 23).replace(' ', 'T')}Z`,
      )
      expect(times).toEqual(wanted.sort())
    } finally {
      await site.stop()
    }
  },
  900_000,
)

longTest('an idle site prepares what comes', async () => {
  const site = await startServer({ dataFolder })
  try {
    await writeFireshare(folder, { version: '1.8', videos: [{ path: 'one.mp4' }] })
    await makeVideo('one.mp4')
    expect(await bring()).toMatchObject({ code: 0 })
    await until(async () => {
      const done = db.selectFrom('jobs').select('id').where('state', '=', 'done')
      return (await done.execute()).length > 0
    })
  } finally {
    await site.stop()
  }
})
