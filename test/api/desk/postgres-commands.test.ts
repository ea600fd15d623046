import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tryLock } from '#server/platform/cluster/locks.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { openCheckedDatabase } from '#server/platform/db/postgres/open-checked.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { createEmptyDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { writeSmallSite } from '#test/support/small-site.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..')
const ELSEWHERE =
  'The database of this site is on PostgreSQL: back it up with pg_dump, or with the snapshots of whoever runs it.\n'
const VIDEOS = 6
/** What a restored site ends, and its settings, which say whose turn in the store it is. */
const CHANGED = /^(sessions|apiTokens|workers|siteSettings) /

let bucket: Awaited<ReturnType<typeof startS3Server>>
const folder = setUpFolder('commands')
/** Whose the bucket is. */
let site: string
/** Of another node. */
let dataFolder: string
const urls: string[] = []
let url: string
let env: Record<string, string>

beforeAll(async () => {
  bucket = await startS3Server()
  site = join(folder, 'site')
  await writeSmallSite(site, { videos: VIDEOS })
  const store = bucket.mediaVariables('videos')
  const words = ['folder', 's3://clutch/videos']
  expect(
    await runCommand('move-media', { dataFolder: site, args: words, env: store }),
  ).toMatchObject({ code: 0 })
  url = await create()
  env = { ...store, DATABASE_URL: url }
  expect(await runCommand('move-database', { dataFolder: site, args: [site, url] })).toMatchObject({
    code: 0,
  })
})
afterAll(async () => {
  for (const database of urls) await dropDatabase(database)
  await bucket.stop()
})
beforeEach(async () => {
  dataFolder = await mkdtemp(join(folder, 'data-'))
})

async function create(): Promise<string> {
  const database = await createEmptyDatabase()
  urls.push(database)
  return database
}

const command = (name: string, ...args: string[]) => runCommand(name, { dataFolder, args, env })
const hashesOf = (out: string) => out.match(/^\w+ +\d+ rows {2}[\da-f]+$/gm)

test('commands for backups that are files stop with a sentence, and write nothing', async () => {
  for (const [name, ...args] of [
    ['backup', join(folder, 'backup')],
    ['restore', join(folder, 'backup')],
    ['restore-drill'],
  ] as const) {
    expect(await command(name, ...args), name).toMatchObject({ code: 1, out: '', err: ELSEWHERE })
  }
  const target = join(folder, 'second')
  await mkdir(target)
  const sent = await runCommand('send-backup', {
    ...{ dataFolder, args: [join(folder, 'backup')], env: { ...env, BACKUP_TARGET: target } },
  })
  expect(sent).toMatchObject({
    ...{ code: 1, err: `${join(folder, 'backup')} is not a backup: it is no folder.\n` },
  })
  expect(await command('seed', '--users', '2', '--videos', '1', '--comments', '1')).toMatchObject({
    ...{ code: 1, err: 'DATABASE_URL is set, and demo content goes into a data folder alone.\n' },
  })
  expect(await command('demo', '--keep', dataFolder)).toMatchObject({
    ...{ code: 1, err: 'DATABASE_URL is set, and a demo is a site in a folder of its own.\n' },
  })
  expect([await readdir(dataFolder), await readdir(target)]).toEqual([[], []])
})

test('the desk says where backups are made, and makes none', async () => {
  const server = await startServer({ dataFolder: site, env })
  const account = { username: 'desk', displayName: 'Desk', email: 'desk@example.org' }
  const ask = (method: 'GET' | 'POST', name: string, cookie: string) =>
    fetch(`${server.origin}/trpc/${name}`, {
      ...{ method, headers: { 'content-type': 'application/json', cookie, origin: server.origin } },
      ...(method === 'POST' && { body: '{}' }),
    })
  const registered = await fetch(`${server.origin}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin },
    body: JSON.stringify({ ...account, password: 'correct horse' }),
  })
  const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(await command('grant-admin', 'desk')).toMatchObject({ code: 0 })
  const safety = await ask('GET', 'backup.safety', cookie)
  expect(await safety.json()).toMatchObject({
    result: { data: { isMadeHere: false, mediaStore: 's3://clutch/videos' } },
  })
  for (const name of ['backup.start', 'backup.startDrill']) {
    const refused = await ask('POST', name, cookie)
    expect([refused.status, (await refused.json()).error.message]).toEqual([409, ELSEWHERE.trim()])
  }
  expect(await server.stop()).toBe(0)
})

test('a node in whose folder videos lie does not start until they are moved', async () => {
  const key = '1'.padStart(32, '0')
  for (const name of ['of-nobody', key]) {
    await mkdir(join(site, 'media', name), { recursive: true })
    await writeFile(join(site, 'media', name, 'video.mp4'), 'video.mp4 of video 1')
  }
  await expect(startServer({ dataFolder: site, env })).rejects.toThrow(
    new Error(
      `The server did not start:\nThere are videos of this site in ${join(site, 'media')}, and ` +
        'the nodes of a site on PostgreSQL share no folder. Move them first: npm run move-media -- folder s3://bucket/prefix.\n',
    ),
  )
  if (isLongForm) {
    const args = ['folder', 's3://clutch/videos']
    expect(await runCommand('move-media', { dataFolder: site, args, env })).toMatchObject({
      ...{ code: 0, out: expect.stringContaining('Moved the media of 1 video or channel') },
    })
    const server = await startServer({ dataFolder: site, env })
    expect(await server.stop()).toBe(0)
  }
  await rm(join(site, 'media'), { recursive: true })
})

test('media are moved by one machine at a time', async () => {
  // One of which nothing is asked is not ended, and its line neither.
  const db = await openCheckedDatabase(url)
  try {
    expect(await tryLock(db, 'move-media')).toBeDefined()
    expect(await command('move-media', 'folder', 's3://clutch/videos')).toMatchObject({
      ...{ code: 1, out: '', err: 'The media of this site are being moved already.\n' },
    })
  } finally {
    await db.destroy()
  }
})

test('the doctor, and commands for members, find the database', async () => {
  const looked = await command('doctor')
  expect(looked.err).toBe('')
  expect(looked.out).toContain(`All is well: the rows of ${VIDEOS} videos`)
  expect(await command('doctor', '--rebuild-search')).toMatchObject({ code: 0 })
  expect(await command('grant-admin', 'member-2')).toMatchObject({
    ...{ code: 0, out: 'member-2 is an admin now.\n' },
  })
  const reset = await command('reset-password', 'Member-3')
  expect(reset).toMatchObject({ code: 0, out: expect.stringContaining('/reset#') })
  for (const name of ['grant-admin', 'reset-password']) {
    expect(await command(name, 'nobody')).toMatchObject({
      ...{ code: 1, err: "There is no member named 'nobody'.\n" },
    })
  }
})

longTest(
  'media move from one bucket to another, and not into a folder, which nodes do not share',
  async () => {
    expect(await command('move-media', 's3://clutch/videos', 'folder')).toMatchObject({
      code: 1,
      err:
        'The database of this site is on PostgreSQL, whose nodes share no folder. ' +
        'Move it first, with npm run move-database.\n',
    })
    const old = Object.fromEntries(
      Object.entries(bucket.mediaVariables('videos')).map(([name, value]) => [
        name === 'MEDIA_STORE' ? 'MEDIA_STORE_OLD' : name.replace('MEDIA_', 'MEDIA_OLD_'),
        value,
      ]),
    )
    const there = { ...old, ...bucket.mediaVariables('other'), DATABASE_URL: url }
    const words = ['s3://clutch/videos', 's3://clutch/other']
    expect(
      await runCommand('move-media', { dataFolder: site, args: words, env: there }),
    ).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Moved the media of ${VIDEOS} videos or channels`),
    })
    env = { ...bucket.mediaVariables('other'), DATABASE_URL: url }
    expect(await command('doctor')).toMatchObject({ code: 0 })
  },
)

const tool = (name: string) =>
  run(name, ['--version']).then(
    ({ stdout }) => Number(/ (\d+)[.\d]* ?/.exec(stdout)?.[1]),
    () => 0,
  )

test('a dump is restored as the document says, and has every row', async ({ skip }) => {
  const db = openPostgresDatabase(url)
  const { rows } = await sql<{ version: number }>`
    SELECT current_setting('server_version_num')::int / 10000 AS "version"`.execute(db)
  await db.destroy()
  const [version = 0] = rows.map((row) => row.version)
  const tools = await Promise.all(['pg_dump', 'pg_restore', 'psql'].map(tool))
  if (tools.some((found) => found < version)) {
    skip(`pg_dump, pg_restore and psql ${version} or newer are not installed here`)
  }
  const dump = join(dataFolder, 'clutch.dump')
  await run('pg_dump', ['--format=custom', '--no-owner', `--file=${dump}`, url])
  const restored = await create()
  await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${restored}`, dump])
  const script = join(ROOT, 'deploy', 'postgres-restored.sql')
  expect(await readFile(join(ROOT, 'docs', 'postgresql.md'), 'utf8')).toContain(
    'psql --file=deploy/postgres-restored.sql',
  )
  await run('psql', ['--set=ON_ERROR_STOP=1', `--file=${script}`, restored])

  env = { ...env, DATABASE_URL: restored }
  const checked = await command('doctor')
  expect(checked.out).toContain(`All is well: the rows of ${VIDEOS} videos`)
  expect(await command('doctor', '--claim-store')).toMatchObject({ code: 0 })
  const [original, copy] = [join(dataFolder, 'original'), join(dataFolder, 'copy')]
  const proofs = []
  for (const words of [
    [url, original],
    [restored, copy],
  ]) {
    const moved = await command('move-database', ...words)
    expect(moved).toMatchObject({ code: 0, err: '' })
    proofs.push(hashesOf(moved.out)?.filter((line) => !CHANGED.test(line)))
  }
  expect(proofs[0]?.length).toBeGreaterThan(8)
  expect(proofs[1]).toEqual(proofs[0])
})
