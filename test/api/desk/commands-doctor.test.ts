import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSite } from '#server/desk/site-check/file-check.ts'
import { indexWaiting } from '#server/discovery/search/index-upkeep.service.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { childEnvironment, childFolder } from '#test/support/child-environment.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { addRows } from '#test/support/rows.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startServer } from '#test/support/server-process.ts'
import { removeStored, storeFiles, withStoreOf } from '#test/support/stored-files.ts'

const NOW = timestamp()
let dataFolder: string
let db: Database

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'clutch-doctor-'))
  db = openDatabase(dataFolder)
  await migrateToLatest(db)
  for (const name of ['ann', 'bob']) {
    const email = `${name}@example.org`
    const user = { username: name, email, password: '-', displayName: name, createdAt: NOW }
    await db.insertInto('users').values(user).execute()
  }
  await addVideo({ title: 'Whole', mediaKey: 'whole' })
  const served = { videoId: 1, name: 'video.mp4', kind: 'video', bytes: 20 } as const
  await db.insertInto('mediaFiles').values(served).execute()
  await store('whole', { 'video.mp4': 20, 'poster.jpg': 10 })
  await addVideo({
    ...{ title: 'Waiting', mediaKey: 'waiting', processingState: 'processing' },
    ...{ videoUrl: null, thumbnailUrl: null },
  })
  await store('waiting', { source: 10 })
  const job = { kind: 'transcode', videoId: 2, state: 'queued', runAfter: NOW } as const
  await addRows(db, 'jobs', { ...job, createdAt: NOW })
})

afterEach(async () => {
  await db.destroy()
  await rm(dataFolder, { recursive: true, force: true })
})

async function addVideo(fields: Partial<NewVideoRow> & { mediaKey: string; title: string }) {
  await addRows(db, 'videos', {
    userId: 1,
    videoUrl: `/media/${fields.mediaKey}/video.mp4`,
    thumbnailUrl: `/media/${fields.mediaKey}/poster.jpg`,
    publishedAt: NOW,
    processingState: 'ready',
    ...fields,
  })
}

async function addUpload(id: string) {
  await addRows(db, 'uploads', {
    ...{ id, userId: 1, state: 'receiving', fileName: `${id}.mp4`, mediaKey: `key-${id}` },
    ...{ fileSize: UPLOAD_CHUNK_BYTES + 5, chunkCount: 2, title: 'A clip', description: '' },
    ...{ category: 'Other', tags: '[]', isAnonymous: 0, createdAt: NOW, touchedAt: NOW },
  })
  for (const chunkIndex of [0, 1]) {
    const chunk = { uploadId: id, chunkIndex, hash: Buffer.alloc(32) }
    await db.insertInto('uploadChunks').values(chunk).execute()
  }
}

/** Puts files of so many bytes under a media key. */
const store = (mediaKey: string, files: Record<string, number>) =>
  withStoreOf({ dataFolder }, (site) => {
    const contents = Object.entries(files).map(([name, bytes]) => [name, Buffer.alloc(bytes, 1)])
    return storeFiles(site, mediaKey, Object.fromEntries(contents))
  })
const remove = (mediaKey: string, name?: string) =>
  withStoreOf({ dataFolder }, (site) => removeStored(site, mediaKey, name))

async function addFile(path: string, bytes: number) {
  const file = join(dataFolder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, Buffer.alloc(bytes, 1))
}

const doctor = (...args: string[]) => runCommand('doctor', { dataFolder, args })
/** The problems that the command prints, a line each. */
const listProblems = () =>
  withStoreOf({ dataFolder }, async ({ media }) => {
    const { problems } = await checkSite(db, { dataFolder, media })
    return problems.map(({ kind, text }) => `${kind}: ${text}`)
  })

const WELL_SAID = 'All is well: the rows of 2 videos and 3 files agree.\n'

test('a site whose rows and files agree is well', async () => {
  expect(await doctor()).toEqual({ code: 0, out: WELL_SAID, err: '' })
})

longTest('its work goes on when nobody reads the rest of what it says', async () => {
  const script = join(import.meta.dirname, '..', '..', '..', 'src/server/command/doctor.ts')
  const child = spawn(process.execPath, [script], {
    cwd: childFolder,
    env: { ...childEnvironment, DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, err]).toEqual([0, ''])
})

test('missing files are named with what they belong to', async () => {
  await remove('whole', 'poster.jpg')
  await remove('waiting')
  await addVideo({ title: 'Gone', mediaKey: 'gone' })
  const rendition = { videoId: 1, name: '720.mp4', kind: 'rendition', bytes: 9 } as const
  const retired = { videoId: 1, name: 'first.mp4', kind: 'video', retiredAt: NOW } as const
  await db.insertInto('mediaFiles').values([rendition, retired]).execute()
  const avatarUrl = '/media/face/avatar.jpg'
  await db.updateTable('users').set({ avatarUrl }).where('id', '=', 2).execute()
  const problems = await listProblems()
  expect(problems.sort().filter((line) => line.startsWith('missing'))).toEqual([
    'missing: media/face/avatar.jpg, the avatar of bob',
    'missing: media/gone/poster.jpg, the picture of video 3 "Gone"',
    'missing: media/gone/video.mp4, the video file of video 3 "Gone"',
    'missing: media/waiting/source, the uploaded file of video 2 "Waiting", which still has to be prepared',
    'missing: media/whole/720.mp4, a rendition of video 1 "Whole"',
    'missing: media/whole/poster.jpg, the picture of video 1 "Whole"',
  ])
})

longTest('the file of an open upload is missing, or damaged where it is too short', async () => {
  await addUpload('open')
  expect(await listProblems()).toContain(
    'missing: uploads/open/source, the file of the open upload "open.mp4"',
  )
  await addFile('uploads/open/source', UPLOAD_CHUNK_BYTES)
  expect(await listProblems()).toContain(
    'damaged: uploads/open/source, the file of the open upload "open.mp4", has 2097152 of the 2097157 bytes recorded',
  )
  await addFile('uploads/open/source', UPLOAD_CHUNK_BYTES + 5)
  expect(await listProblems()).toEqual([])
})

longTest(
  'folders without a row are orphans, and on a running site what its janitor will clear',
  async () => {
    await addFile('media/stray/video.mp4', 10)
    await addFile('uploads/left/source', 10)
    expect(await doctor()).toEqual({
      code: 1,
      out: `orphaned: media/stray\norphaned: uploads/left\n2 problems in ${dataFolder}.\n`,
      err: '',
    })
    await remove('waiting')
    await db.deleteFrom('videos').where('id', '=', 2).execute()
    const longAgo = new Date(Date.now() - 4 * 3_600_000)
    for (const name of ['media/stray', 'uploads/left']) {
      await utimes(join(dataFolder, name), longAgo, longAgo)
    }
    const server = await startServer({ dataFolder })
    const { code, out } = await doctor()
    await server.stop()
    expect(code).toBe(0)
    expect(out).toContain('left over: media/stray, from work that broke off')
    expect(out).toContain('left over: uploads/left, from work that broke off')
  },
)

longTest('what a killed server left is cleared by the next one, and no problem', async () => {
  await remove('waiting')
  await db.deleteFrom('videos').where('id', '=', 2).execute()
  const dying = await startServer({ dataFolder, env: { CLUTCH_STOP_AT: 'upload.folder-made' } })
  const send = (path: string, body: object, cookie = '') =>
    fetch(dying.origin + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', cookie },
    })
  const account = { username: 'cat', displayName: 'Cat', password: 'correct horse' }
  const registered = await send('/api/register', { ...account, email: 'cat@example.org' })
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0]
  const file = { fileName: 'clip.mp4', fileSize: 10, fileType: 'video/mp4' }
  const metadata = { title: 'A clip' }
  const lost = send('/api/uploads/initialize', { ...file, metadata }, cookie)
  await expect(lost).rejects.toThrow()
  const [left] = await readdir(join(dataFolder, 'uploads'))
  const server = await startServer({ dataFolder })
  expect(await doctor()).toEqual({
    code: 0,
    out: `left over: uploads/${left}, from work that broke off: the janitor clears this by itself within 3 hours\nAll is well: the rows of 1 video and 2 files agree.\n`,
    err: '',
  })
  await server.stop()
})

test('counters that are not what the rows say are damage', async () => {
  const comment = { videoId: 1, userId: 2, content: 'hi', createdAt: NOW, dislikeCount: 2 }
  await db.insertInto('comments').values(comment).execute()
  const like = { userId: 2, videoId: 1, isLike: 1, createdAt: NOW } as const
  await db.insertInto('likes').values(like).execute()
  const clip = { videoId: 1, userId: 2, title: 'A clip', foldedTitle: 'a clip', createdAt: NOW }
  const counted = { startSeconds: 1, endSeconds: 4, likeCount: 1 }
  await addRows(db, 'clips', { ...clip, ...counted })
  const post = { channelId: 1, content: 'news', createdAt: NOW }
  await addRows(db, 'posts', { ...post, likeCount: 4, dislikeCount: 1 })
  await db.updateTable('users').set({ subscriberCount: 3 }).where('id', '=', 1).execute()
  expect((await listProblems()).slice(0, 6)).toEqual([
    'damaged: video 1 "Whole" counts 0 likes, but has 1',
    'damaged: clip 1 counts 1 likes, but has 0',
    'damaged: comment 1 counts 2 dislikes, but has 0',
    'damaged: post 1 counts 4 likes, but has 0',
    'damaged: post 1 counts 1 dislikes, but has 0',
    'damaged: ann counts 3 subscribers, but has 0',
  ])
})

test('files that are too short and videos nobody works on are damage', async () => {
  await store('whole', { 'video.mp4': 5, 'poster.jpg': 0 })
  await db.deleteFrom('jobs').execute()
  const { code, out } = await doctor()
  expect(code).toBe(1)
  expect(out.split('\n').slice(0, 3)).toEqual([
    'damaged: media/whole/video.mp4, the video file of video 1 "Whole", has 5 bytes instead of 20',
    'damaged: media/whole/poster.jpg, the picture of video 1 "Whole", has 0 bytes',
    'damaged: video 2 "Waiting" waits to be prepared, but no job will do it',
  ])
})

/** Other bytes of the same length. */
const harm = () =>
  withStoreOf({ dataFolder }, async (site) => {
    await storeFiles(site, 'whole', { 'video.mp4': Buffer.alloc(20, 2) })
    await storeFiles(site, 'waiting', { source: Buffer.alloc(10, 2) })
  })

longTest(
  'asked to, it reads every file and compares it with the hash of its row, which a first reading notes',
  async () => {
    expect(await doctor('--deep')).toEqual({
      code: 0,
      out: `2 files, 1KB, were read. The hashes of 2 files are new.\n${WELL_SAID}`,
      err: '',
    })
    await harm()
    expect(await listProblems()).toEqual([])
    const { code, out } = await doctor('--deep')
    expect([code, out.split('\n').sort()]).toEqual([
      1,
      [
        '',
        '2 files, 1KB, were read.',
        `2 problems in ${dataFolder}.`,
        'damaged: media/waiting/source, the uploaded file of video 2 "Waiting", does not have the bytes that were put there',
        'damaged: media/whole/video.mp4, a video file of video 1 "Whole", does not have the bytes that were put there',
      ],
    ])
  },
)

longTest(
  'a reading notes the hash of a new file, says how far it is, and tells a file once',
  async () => {
    await doctor('--deep')
    const served = { videoId: 1, name: 'poster.jpg', kind: 'picture', bytes: 10 } as const
    await db.insertInto('mediaFiles').values(served).execute()
    expect(await doctor('--deep')).toMatchObject({
      code: 0,
      out: `3 files, 1KB, were read. The hashes of 1 file are new.\n${WELL_SAID}`,
    })
    await harm()
    const said = (await doctor('--deep', '--json')).out.trim().split('\n')
    const lines = said.map((line) => JSON.parse(line) as { percent?: number; problems?: object[] })
    const percents = lines.flatMap(({ percent }) => percent ?? [])
    expect(percents.at(-1)).toBe(100)
    expect(percents.toSorted((one, other) => one - other)).toEqual(percents)
    expect(lines.at(-1)?.problems).toHaveLength(2)
    // A file of the wrong size is reported once.
    await store('whole', { 'video.mp4': 5 })
    expect((await doctor('--deep')).out.match(/video\.mp4/g)).toHaveLength(1)
  },
)

longTest(
  'it reads a recording from before a cut, which can be brought back, but none in deletion',
  async () => {
    for (const mediaKey of ['parked', 'gone']) {
      await addVideo({ title: 'Whole', mediaKey, processingState: 'deleting' })
      await store(mediaKey, { 'video.mp4': 20 })
    }
    for (const videoId of [3, 4]) {
      const served = { videoId, name: 'video.mp4', kind: 'video', bytes: 20 } as const
      await addRows(db, 'mediaFiles', { ...served, sha256: '0'.repeat(64) })
    }
    const between = { videoId: 3, sourceVideoId: 1, sourceMediaKey: 'parked' }
    const cut = { ...between, replaces: 1, parts: '[]' } as const
    await addRows(db, 'cuts', { ...cut, parkedAt: NOW, createdAt: NOW })
    const { code, out } = await doctor('--deep')
    expect([code, out.match(/^damaged: .*/gm)]).toEqual([
      1,
      [
        'damaged: media/parked/video.mp4, a video file of video 3 "Whole", does not have the bytes that were put there',
      ],
    ])
  },
)

test('it says what it can do', async () => {
  const { code, out } = await doctor('--help')
  expect([code, out]).toEqual([0, expect.stringMatching(/--deep +also reads every file/)])
})

test('a copy from before an update that cannot be read is damage', async () => {
  await addFile('backups/before-update/database-003.db', 8192)
  expect(await listProblems()).toEqual([
    'damaged: backups/before-update/database-003.db, the copy of the database from before an update',
  ])
})

test('a database of another version is reported, and not taken for a damaged site', async () => {
  await sql`DELETE FROM kysely_migration WHERE name LIKE '001-%'`.execute(db)
  const older =
    'The database was written by an older version of Clutch. Start the site once first.\n'
  expect(await doctor()).toEqual({ code: 1, out: '', err: older })
})

longTest('a database of a newer version is reported, too', async () => {
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('999-future', '2030')`.execute(
    db,
  )
  const newer = 'The database was written by a newer version of Clutch. Update Clutch first.\n'
  expect(await doctor()).toEqual({ code: 1, out: '', err: newer })
})

test('rows that point to rows that are not there are damage', async () => {
  await sql`PRAGMA foreign_keys = OFF`.execute(db)
  const comment = { videoId: 99, userId: 2, content: 'hi', createdAt: NOW }
  await db.insertInto('comments').values(comment).execute()
  expect(await listProblems()).toContain(
    'damaged: A row of comments points to a row of videos that is not there.',
  )
})

const STALE =
  'damaged: the search index does not agree with the videos: rebuild it with npm run doctor -- --rebuild-search'

test.each(
  quickCases(
    [
      ['a video missing', `DELETE FROM videoSearch WHERE rowid = 1`],
      ['a video too many', `INSERT INTO videoSearch (rowid, title) VALUES (2, 'Waiting')`],
      ['a word missing', `DELETE FROM searchTerms WHERE term = 'whole'`],
      ['a word counted twice', `UPDATE searchTerms SET videoCount = 2 WHERE term = 'whole'`],
      ['a channel missing', `DELETE FROM channelSearch WHERE rowid = 1`],
    ],
    ['a word counted twice'],
  ),
)('a search index with %s is damage, and can be rebuilt', async (_, harm) => {
  await indexWaiting({ db, closing: new AbortController().signal })
  await sql.raw(harm).execute(db)
  expect((await listProblems())[0]).toBe(STALE)
  expect(await doctor('--rebuild-search')).toMatchObject({
    code: 0,
    out: `The search index was rebuilt.\n${WELL_SAID}`,
  })
})

test('a search index for which changes still wait is no damage', async () => {
  await db.updateTable('videos').set({ title: 'Another' }).where('id', '=', 1).execute()
  expect(await listProblems()).toEqual([])
})

longTest('the search index of a running site is not made again', async () => {
  const server = await startServer({ dataFolder })
  expect(await doctor('--rebuild-search')).toEqual({
    code: 1,
    out: '',
    err: `A Clutch server uses ${dataFolder}. Stop it first.\n`,
  })
  await server.stop()
  expect(await doctor('--mend')).toMatchObject({ code: 2, out: '' })
  expect(await doctor('now')).toMatchObject({ code: 2, out: '' })
})

test('a damaged database is distinguished from a damaged site', async () => {
  await db.destroy()
  await writeFile(join(dataFolder, 'clutch.db'), Buffer.alloc(8192, 7))
  const { code, out, err } = await doctor()
  expect([code, err]).toEqual([1, ''])
  expect(out).toMatch(/^damaged: SQLite says: file is not a database\n1 problem in /)
  const another = join(dataFolder, 'another')
  await mkdir(another)
  db = openDatabase(another)
})

longTest('a mail server that cannot be used is a problem', async () => {
  const mail = await startMailServer()
  try {
    const env = (url: string, more: Record<string, string> = {}) => ({
      ...{ SMTP_URL: url, MAIL_FROM: 'clips@example.org', PUBLIC_URL: 'https://clips.example.org' },
      ...more,
    })
    const run = (variables: Record<string, string>) =>
      runCommand('doctor', { dataFolder, env: variables })
    expect(await run(env(mail.url))).toMatchObject({ code: 0, out: WELL_SAID })
    const wrong = await run(env(mail.url.replace('//', '//clips:wrong@')))
    expect(wrong.code).toBe(1)
    expect(wrong.out).toContain('email: The mail server 127.0.0.1:')
    expect(wrong.out).toContain('refused the user name or password: 535 Wrong password\n')
    const homeless = await run(env(mail.url, { PUBLIC_URL: '' }))
    expect(homeless.out).toContain('email: No email is sent: PUBLIC_URL must be set too')
    expect(mail.received).toEqual([])
  } finally {
    await mail.stop()
  }
})
