import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inviteIsOpen } from '#server/account/invite/invite.queries.ts'
import { type Manifest, readManifest, writeManifest } from '#server/desk/backup/backup-manifest.ts'
import { makeBackup } from '#server/desk/backup/make-backup.ts'
import { fetchSnapshot, sendSnapshot } from '#server/desk/backup/offsite/snapshots.ts'
import { restoreBackup, restoreSnapshot } from '#server/desk/backup/restore-backup.ts'
import { proveRestore } from '#server/desk/backup/restore-drill.ts'
import { readConfig } from '#server/platform/config.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { readMigrationsOf } from '#server/platform/db/needed-migration.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import { exists } from '#server/platform/durable-files.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { openMediaForCommand } from '#server/platform/files/open-media-store.ts'
import { removeMedia } from '#server/platform/files/remove-media.ts'
import type { Offsite } from '#server/platform/offsite-config.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { writeSmallSite } from '#test/support/small-site.ts'
import { openTestSite } from '#test/support/test-site.ts'

const KEY = '1'.padStart(32, '0')
const VIDEO = `media/${KEY}/video.mp4`
const ENDLESS =
  'WITH RECURSIVE "n" ("x") AS (SELECT 1 UNION ALL SELECT "x" + 1 FROM "n") SELECT "x" FROM "n"'

const MOVED_MEDIA = {
  ...{ MEDIA_STORE: 's3://none', MEDIA_S3_ENDPOINT: 'http://127.0.0.1:9' },
  ...{ MEDIA_S3_ACCESS_KEY_ID: 'id', MEDIA_S3_SECRET_ACCESS_KEY: 'key' },
}

const base = setUpFolder('untrusted')
let site: string
let backup: string
/** A copy of the backup, to be harmed. */
let folder: string
let dataFolder: string

beforeAll(async () => {
  site = join(base, 'site')
  await writeSmallSite(site, { members: 2, videos: 2 })
  const sqlite = new Sqlite(join(site, 'clutch.db'))
  sqlite.exec(`INSERT INTO "sessions" ("id", "userId", "expiresAt", "rememberMe", "createdAt")
    VALUES ('s', 1, 9999999999, 0, '2026-01-01T00:00:00.000Z')`)
  sqlite.exec(`INSERT INTO "dataExports" ("userId", "state", "runAfter", "createdAt", "expiresAt")
    VALUES (1, 'done', '2026-01-01', '2026-01-01', '2999-01-01')`)
  sqlite.exec(`UPDATE "users" SET "deletesAt" = '2026-01-01T00:00:00.000Z' WHERE "id" = 2`)
  sqlite.exec(`INSERT INTO "passwordResets" ("userId", "tokenHash", "createdAt", "expiresAt")
    VALUES (1, 'hash', '2026-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z')`)
  sqlite.exec(`INSERT INTO "signInSteps" ("id", "kind", "userId", "data", "expiresAt")
    VALUES ('s', 'second-factor', 1, '{}', '2999-01-01T00:00:00.000Z')`)
  const steps = `INSERT INTO "timeCodes" ("userId", "secret", "lastStep", "createdAt")`
  sqlite.exec(`${steps} VALUES (1, 'ABCD', 1, '2026-01-01T00:00:00.000Z')`)
  sqlite.close()
  backup = join(base, 'backup')
  await makeBackup({ dataFolder: site, folder: backup })
})
beforeEach(async () => {
  const own = await mkdtemp(join(base, 'case-'))
  folder = join(own, 'backup')
  dataFolder = join(own, 'data')
  await cp(backup, folder, { recursive: true })
})

const makeFifo = (path: string) => promisify(execFile)('mkfifo', [path])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Has the manifest say what the backup holds by now, as whoever harms it would. */
async function sign(change: (manifest: Manifest) => Partial<Manifest> = () => ({})) {
  const manifest = await readManifest(folder)
  const bytes = await readFile(join(folder, 'clutch.db'))
  const database = { bytes: bytes.length, sha256: sha256(bytes) }
  await writeManifest(folder, { ...manifest, database, ...change(manifest) })
}

/** Has it say that a file of the backup is what it leads to. */
async function signFile(path: string) {
  const bytes = await readFile(join(folder, path))
  await sign(({ files }) => ({
    files: files.map((file) =>
      `media/${file.path}` === path
        ? { ...file, bytes: bytes.length, sha256: sha256(bytes) }
        : file,
    ),
  }))
}

async function changeDatabase(...statements: string[]) {
  const sqlite = new Sqlite(join(folder, 'clutch.db'))
  sqlite.unsafeMode()
  for (const statement of statements) sqlite.exec(statement)
  sqlite.close()
  await sign()
}

/** Returns the names in the data folder except the lock file, which is empty. */
async function listLeft(): Promise<string[]> {
  const names = (await exists(dataFolder)) ? await readdir(dataFolder) : []
  return names.filter((name) => !name.endsWith('.lock'))
}

async function expectRefused(sentence: RegExp | string) {
  const restored = restoreBackup({ dataFolder, folder })
  await expect(restored).rejects.toThrow(sentence)
  await expect(restored).rejects.toMatchObject({ name: 'BackupRefusedError' })
  expect(await listLeft()).toEqual([])
}

type Harm = [name: string, harm: () => Promise<unknown>, sentence: RegExp]

const replace = async (path: string, make: (path: string) => Promise<unknown>) => {
  await rm(join(folder, path), { recursive: true })
  await make(join(folder, path))
}

describe('a backup is refused, and nothing of it is left, with', () => {
  const entries: Harm[] = [
    [
      'a link to the database in the place of a video',
      async () => {
        await replace(VIDEO, (path) => symlink('../../clutch.db', path))
        await signFile(VIDEO)
      },
      /Its media\/\w+\/video\.mp4 is a link\./,
    ],
    [
      'a link to a folder in the place of that of a video',
      async () => {
        const outside = join(folder, '..', 'outside')
        await rename(join(folder, 'media', KEY), outside)
        await symlink(outside, join(folder, 'media', KEY))
      },
      /Its media\/\w+ is a link\./,
    ],
    [
      'a link in the place of all media',
      async () => {
        await rename(join(folder, 'media'), join(folder, '..', 'all'))
        await symlink('../all', join(folder, 'media'))
      },
      /Its media is a link\./,
    ],
    [
      'a link that no list names',
      () => symlink('/etc', join(folder, 'media', 'etc')),
      /is a link\./,
    ],
    [
      'a link in the place of its list',
      async () => {
        await rename(join(folder, 'manifest.json'), join(folder, '..', 'list'))
        await symlink('../list', join(folder, 'manifest.json'))
      },
      /its manifest\.json is a link/,
    ],
    ['a FIFO in the place of its list', () => replace('manifest.json', makeFifo), /neither a file/],
    ['a FIFO in the place of its database', () => replace('clutch.db', makeFifo), /neither a file/],
    [
      'a FIFO in the place of a video',
      () => replace(VIDEO, makeFifo),
      /neither a file nor a folder/,
    ],
    ['a folder in the place of its list', () => replace('manifest.json', mkdir), /is a folder/],
    ['a folder in the place of its database', () => replace('clutch.db', mkdir), /is a folder/],
    ['a folder in the place of a video', () => replace(VIDEO, mkdir), /video\.mp4 is a folder/],
    [
      'a file in the place of a folder',
      () => replace(`media/${KEY}`, (path) => writeFile(path, 'x')),
      /Its media\/\w+ is a file\./,
    ],
    [
      'a journal, which would be played back',
      () => writeFile(join(folder, 'clutch.db-journal'), 'x'),
      /Its clutch\.db-journal is no part of a backup/,
    ],
    [
      'a database without end',
      () => truncate(join(folder, 'clutch.db'), 2 ** 42),
      /Its clutch\.db is not the file that was backed up/,
    ],
    [
      'a list that names a file twice',
      () => sign(({ files }) => ({ files: [...files, ...files] })),
      /its manifest\.json cannot be read/,
    ],
    [
      'a list of 600 MB',
      () => truncate(join(folder, 'manifest.json'), 600_000_000),
      /its manifest\.json is too large/,
    ],
    [
      'a list of more brackets than memory',
      () => writeFile(join(folder, 'manifest.json'), '['.repeat(30_000_000)),
      /its manifest\.json is too large/,
    ],
  ]
  test.each(entries)('%s', async (_, harm, sentence) => {
    await harm()
    await expectRefused(sentence)
  })

  const databases: Harm[] = [
    [
      'an empty database',
      async () => {
        await truncate(join(folder, 'clutch.db'), 0)
        await sign()
      },
      /In its clutch\.db there is no list of migrations/,
    ],
    [
      'a database of another program',
      async () => {
        await rm(join(folder, 'clutch.db'))
        await changeDatabase('CREATE TABLE "users" ("x")')
      },
      /there is no list of migrations of Clutch/,
    ],
    [
      'a text in the place of a database',
      async () => {
        await writeFile(join(folder, 'clutch.db'), 'a text that is long enough'.repeat(100))
        await sign()
      },
      /Its clutch\.db cannot be read: file is not a database/,
    ],
    [
      'a trigger that brings sessions back',
      () =>
        changeDatabase(`CREATE TRIGGER "keep" AFTER DELETE ON "sessions" BEGIN
          INSERT INTO "sessions" VALUES (OLD."id", OLD."userId", OLD."expiresAt", 0, OLD."createdAt", NULL, NULL); END`),
      /In its clutch\.db the trigger "keep" is not one of Clutch/,
    ],
    [
      'an endless view',
      () => changeDatabase(`CREATE VIEW "endless" AS ${ENDLESS}`),
      /the view "endless" is not one of Clutch/,
    ],
    [
      'an endless view in the place of a table',
      () =>
        changeDatabase('DROP TABLE "announcedActs"', `CREATE VIEW "announcedActs" AS ${ENDLESS}`),
      /the view "announcedActs" is not one/,
    ],
    [
      'an endless view in the place of its list of migrations',
      () =>
        changeDatabase(
          'DROP TABLE "kysely_migration"',
          `CREATE VIEW "kysely_migration" AS SELECT "x" AS "name" FROM (${ENDLESS})`,
        ),
      /there is no list of migrations/,
    ],
    [
      'a foreign index',
      () => changeDatabase('CREATE INDEX "i" ON "users" (hex("bio"))'),
      /index "i"/,
    ],
    ['a foreign table', () => changeDatabase('CREATE TABLE "t" ("x")'), /the table "t" is not one/],
    [
      'a table of an extension',
      () => changeDatabase('CREATE VIRTUAL TABLE "v" USING fts5 ("x")'),
      /the table "v" is not one of Clutch/,
    ],
    [
      'a column that is computed',
      () => changeDatabase('ALTER TABLE "users" ADD COLUMN "c" TEXT AS (upper("bio"))'),
      /the table "users" is not as Clutch makes it/,
    ],
    [
      'another CHECK',
      () =>
        changeDatabase(
          'PRAGMA writable_schema = ON',
          `UPDATE "sqlite_schema" SET "sql" = replace("sql", '"isAdmin" IN (0, 1)', '1') WHERE "name" = 'users'`,
        ),
      /the table "users" is not as Clutch makes it/,
    ],
    [
      'a table less',
      () => changeDatabase('DROP TABLE "watching"'),
      /the table "watching" is missing/,
    ],
    [
      'a cut list of migrations',
      () => changeDatabase(`DELETE FROM "kysely_migration" WHERE "name" > '015'`),
      /In its clutch\.db the (table|index|trigger) "/,
    ],
    [
      'a list of migrations with a gap',
      () => changeDatabase(`DELETE FROM "kysely_migration" WHERE "name" LIKE '003%'`),
      /the list of migrations has gaps/,
    ],
    [
      'a row that deletes elsewhere',
      () =>
        changeDatabase(`UPDATE "videos" SET "mediaKey" = '../../../../victim',
          "processingState" = 'deleting' WHERE "id" = 1`),
      /cannot be trusted: the mediaKey in row 1 of videos could lead out of its folder/,
    ],
  ]
  const key = (statement: string, column: string): Harm => [
    `a row that leads out: ${statement}`,
    () => changeDatabase(statement),
    new RegExp(`(the ${column} in row .+ could lead out of its folder|It lacks media/)`),
  ]
  const rows = [
    key(`UPDATE "videos" SET "addressKey" = '..' WHERE "id" = 1`, 'addressKey'),
    key(`UPDATE "videos" SET "shareUrl" = '/media/${KEY}/..' WHERE "id" = 1`, 'shareUrl'),
    key(`UPDATE "videos" SET "cardUrl" = '/media/../x' WHERE "id" = 1`, 'cardUrl'),
    key(
      `INSERT INTO "mediaFiles" ("videoId", "name", "kind", "bytes") VALUES (1, '../../../x', 'picture', 1)`,
      'name',
    ),
    key(`UPDATE "users" SET "avatarUrl" = '/media/../../x/y' WHERE "id" = 1`, 'avatarUrl'),
    key(`UPDATE "siteSettings" SET "logoUrl" = '/media/..'`, 'logoUrl'),
    key(
      `INSERT INTO "backups" ("name", "cause", "state", "startedAt") VALUES ('../..', 'asked', 'done', '')`,
      'name',
    ),
    key(`UPDATE "videos" SET "mediaKey" = 'a' || char(0) || '/..' WHERE "id" = 1`, 'mediaKey'),
  ]
  const quickRows = rows.filter((_, index) => isLongForm || index % 4 === 0)
  const quickDatabases = quickCases(databases, [
    ...['an empty database', 'a text in the place of a database'],
    ...['a trigger that brings sessions back', 'an endless view in the place of a table'],
    ...['another CHECK', 'a table less', 'a list of migrations with a gap'],
    'a row that deletes elsewhere',
  ])
  test.each([...quickDatabases, ...quickRows])('%s', async (_, harm, sentence) => {
    await harm()
    await expectRefused(sentence)
  })
})

test('a path in its list that leads out of it is refused', async () => {
  const path = join(folder, 'manifest.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(`${KEY}/video.mp4`, `${KEY}/../../../victim`))
  await expectRefused('its manifest.json cannot be read')
})

test('a journal beside the copy is not followed, and the backup stays as it is', async () => {
  const before = await readFile(join(folder, 'clutch.db'))
  await restoreBackup({ dataFolder, folder })
  expect(await readFile(join(folder, 'clutch.db'))).toEqual(before)
  expect((await readdir(folder)).sort()).toEqual(['clutch.db', 'manifest.json', 'media'])
})

test('what ANALYZE made, and a name that no file of the site has, keep no backup from being restored', async () => {
  await changeDatabase('ANALYZE')
  await writeFile(join(folder, 'media', KEY, '.DS_Store'), 'x')
  await sign(({ files }) => ({
    files: [...files, { path: `${KEY}/.DS_Store`, bytes: 1, sha256: sha256(Buffer.from('x')) }],
  }))
  await restoreBackup({ dataFolder, folder })
  expect((await readdir(join(dataFolder, 'media', KEY))).sort()).toEqual([
    'poster.jpg',
    'video.mp4',
  ])
  const sqlite = new Sqlite(join(dataFolder, 'clutch.db'), { readonly: true })
  for (const table of ['sessions', 'passwordResets', 'dataExports', 'signInSteps']) {
    expect(sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get()).toBe(0)
  }
  const deletesAt = sqlite.prepare('SELECT "deletesAt" FROM "users" WHERE "id" = 2').pluck().get()
  expect(Date.parse(`${deletesAt}`)).toBeGreaterThan(Date.now())
  expect(sqlite.prepare(`SELECT "secret" FROM "timeCodes"`).pluck().get()).toBe('ABCD')
  sqlite.close()
})

test('a backup of which nothing is trusted puts nothing into a bucket', async () => {
  const s3 = await startS3Server()
  const settings = readConfig({ ...s3.mediaVariables('videos'), DATA_DIR: dataFolder })
  await mkdir(dataFolder)
  const { media, close } = await openMediaForCommand(settings)
  try {
    await changeDatabase(`UPDATE "videos" SET "cardUrl" = '/media/../x' WHERE "id" = 1`)
    const refused = restoreBackup({ dataFolder, folder, elsewhere: media })
    await expect(refused).rejects.toThrow('could lead out')
    expect(await Array.fromAsync(media.list('media/'))).toEqual([])
    expect(await listLeft()).toEqual([])
  } finally {
    await close()
    await s3.stop()
  }
})

longTest(
  'the commands say so in one line, and the doctor and the drill do not call it well',
  async () => {
    await changeDatabase(`CREATE VIEW "endless" AS ${ENDLESS}`)
    const refused = await runCommand('restore', { dataFolder, args: [folder] })
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toBe(
      'The backup is damaged. In its clutch.db the view "endless" is not one of Clutch.\n',
    )
    const file = join(folder, '..', 'backup.tar')
    await writeFile(file, 'x')
    await expect(restoreBackup({ dataFolder, folder: file })).rejects.toThrow('Unpack it first')

    // A data folder that an older version restored.
    await cp(site, dataFolder, { recursive: true })
    await cp(folder, join(dataFolder, 'backups', '2026'), { recursive: true })
    await expect(proveRestore({ dataFolder, offsite: undefined })).rejects.toThrow('view "endless"')
    await cp(join(folder, 'clutch.db'), join(dataFolder, 'clutch.db'))
    const doctor = await runCommand('doctor', { dataFolder })
    expect(doctor).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'damaged: in the database the view "endless" is not one of Clutch\n',
      ),
    })
    const failed = makeBackup({ dataFolder, folder: join(folder, '..', 'new') })
    await expect(failed).rejects.toThrow('view "endless"')
  },
)

test('a drill passes over what lies beside the backups', async () => {
  await cp(backup, join(dataFolder, 'backups', '2026'), { recursive: true })
  await writeFile(join(dataFolder, 'backups', 'friday.tar'), 'x')
  await makeFifo(join(dataFolder, 'backups', 'pipe'))
  expect(await proveRestore({ dataFolder, offsite: undefined })).toMatchObject({ name: '2026' })
})

longTest('a database or media that are not to be trusted are not moved elsewhere', async () => {
  await cp(site, dataFolder, { recursive: true })
  const to = join(dataFolder, '..', 'moved')
  const moveDatabase = () =>
    runCommand('move-database', { dataFolder, args: [dataFolder, to], env: MOVED_MEDIA })
  const moveMedia = () =>
    runCommand('move-media', { dataFolder, args: ['folder', 's3://none'], env: MOVED_MEDIA })
  const change = (statement: string) => {
    const sqlite = new Sqlite(join(dataFolder, 'clutch.db'))
    sqlite.exec(statement)
    sqlite.close()
  }
  await symlink('/etc', join(dataFolder, 'media', 'etc'))
  expect(await moveMedia()).toMatchObject({
    ...{ code: 1, out: '' },
    err: 'Nothing is moved: media/etc is neither a plain file nor a folder.\n',
  })
  change(`UPDATE "users" SET "avatarUrl" = '/media/../x' WHERE "id" = 1`)
  const unsafe = 'Nothing is moved: the avatarUrl in row 1 of users could lead out of its folder.\n'
  expect(await moveMedia()).toMatchObject({ code: 1, out: '', err: unsafe })
  expect(await moveDatabase()).toMatchObject({ code: 1, out: '', err: unsafe })
  change(`CREATE VIEW "endless" AS ${ENDLESS}`)
  const foreign = 'Nothing is moved: in the database the view "endless" is not one of Clutch.\n'
  expect(await moveMedia()).toMatchObject({ code: 1, out: '', err: foreign })
  expect(await moveDatabase()).toMatchObject({ code: 1, out: '', err: foreign })
})

test('a FIFO or a folder in the place of the database of a site is said in a sentence', async () => {
  await mkdir(dataFolder)
  for (const make of isLongForm ? [makeFifo, mkdir] : [makeFifo]) {
    await make(join(dataFolder, 'clutch.db'))
    const doctor = await runCommand('doctor', { dataFolder })
    expect(doctor).toMatchObject({ code: 1, err: expect.stringMatching(/^[^\n]+\.\n$/) })
    await rm(join(dataFolder, 'clutch.db'), { recursive: true })
  }
})

longTest(
  'the doctor names links among the media, rows that lead out, and a database of another program',
  async () => {
    await cp(site, dataFolder, { recursive: true })
    await rm(join(dataFolder, VIDEO))
    await symlink('../../clutch.db', join(dataFolder, VIDEO))
    const sqlite = new Sqlite(join(dataFolder, 'clutch.db'))
    sqlite.exec(
      `UPDATE "videos" SET "mediaKey" = '../victim', "processingState" = 'deleting' WHERE "id" = 2`,
    )
    const found = await runCommand('doctor', { dataFolder })
    expect(found.code).toBe(1)
    expect(found.out).toContain(`damaged: ${VIDEO} is neither a plain file nor a folder\n`)
    expect(found.out).toContain(`missing: ${VIDEO}, `)
    expect(found.out).toContain(
      'damaged: the mediaKey in row 2 of videos could lead out of its folder\n',
    )
    sqlite.close()
    const failed = makeBackup({ dataFolder, folder: join(folder, '..', 'new') })
    await expect(failed).rejects.toThrow('the mediaKey in row 2 of videos could lead out')

    for (const name of ['clutch.db', 'clutch.db-wal', 'clutch.db-shm']) {
      await rm(join(dataFolder, name), { force: true })
    }
    await writeFile(join(dataFolder, 'clutch.db'), '')
    const empty = await runCommand('doctor', { dataFolder })
    expect(empty).toMatchObject({ code: 1, err: '' })
    expect(empty.out).toContain(
      'damaged: in the database there is no list of migrations of Clutch\n',
    )
  },
)

test('a row in deletion that leads out of the media removes nothing', async () => {
  const victim = join(dataFolder, '..', 'victim')
  await mkdir(join(dataFolder, 'media'), { recursive: true })
  await mkdir(victim)
  const deps = { config: { dataFolder }, media: openFolderStore(dataFolder) }
  for (const mediaKey of ['../../victim', '..', '.', '', '../victim', `${KEY}/../../../victim`]) {
    expect(await removeMedia(deps, { mediaKey })).toBe(false)
  }
  expect(await removeMedia(deps, { mediaKey: KEY, name: '../../../victim' })).toBe(false)
  expect((await stat(victim)).isDirectory()).toBe(true)
  expect((await stat(join(dataFolder, 'media'))).isDirectory()).toBe(true)
})

test('a link or FIFO in the place of a video is not served, as an older version restored it', async () => {
  const open = await openTestSite()
  try {
    const ann = await open.addMember('ann')
    const media = join(open.dataFolder, 'media')
    const keys = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32))
    const [linked = '', piped = '', behind = '', plain = ''] = keys
    for (const mediaKey of keys) {
      await open.addVideo(ann, { mediaKey, videoUrl: `/media/${mediaKey}/video.mp4` })
    }
    for (const mediaKey of [linked, piped, plain]) await mkdir(join(media, mediaKey))
    await symlink('../../clutch.db', join(media, linked, 'video.mp4'))
    await makeFifo(join(media, piped, 'video.mp4'))
    await mkdir(join(open.dataFolder, 'outside'))
    await writeFile(join(open.dataFolder, 'outside', 'video.mp4'), 'secret')
    await symlink('../outside', join(media, behind))
    await writeFile(join(media, plain, 'video.mp4'), 'video')
    const statuses = keys.map(async (mediaKey) => {
      const answer = await open.call({ url: `/media/${mediaKey}/video.mp4` })
      return answer.statusCode
    })
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200])
  } finally {
    await open.close()
  }
})

describe('a second place', () => {
  let place: string
  let offsite: Offsite
  beforeEach(async () => {
    place = join(folder, '..', 'place')
    await mkdir(place)
    offsite = { place: { folder: place }, target: place, recipient: undefined, identity: undefined }
    await sendSnapshot(offsite, { folder: backup, keep: 1 })
  })

  const objectOf = async (path: string) => {
    const hash = sha256(await readFile(join(backup, path)))
    return join(place, 'objects', hash.slice(0, 2), hash)
  }
  const refusals: [string, string, (path: string) => Promise<unknown>, RegExp][] = [
    ['a FIFO as its list', 'manifest.json', makeFifo, /its objects\/\w+\/\w+ is neither a file/],
    ['a FIFO as a video', VIDEO, makeFifo, /its objects\/\w+\/\w+ is neither a file/],
    ['a folder as the database', 'clutch.db', mkdir, /its objects\/\w+\/\w+ is a folder/],
    ['a link as a video', VIDEO, (path) => symlink('/etc/hostname', path), /is a link/],
    [
      'more bytes than a video has',
      VIDEO,
      (path) => writeFile(path, 'x'.repeat(100_000)),
      /has more bytes of objects/,
    ],
  ]
  test.each(refusals)(
    'with %s hangs nothing and leaves nothing',
    async (_, path, make, sentence) => {
      const object = await objectOf(path)
      await rm(object)
      await make(object)
      const restored = restoreSnapshot({ dataFolder, offsite, name: undefined })
      await expect(restored).rejects.toThrow(sentence)
      expect(await listLeft()).toEqual([])
    },
  )

  test.each([
    ['a file within a file', `${KEY}/video.mp4/x`],
    ['a path longer than any', `${KEY}/${'a/'.repeat(3000)}x`],
  ])('whose list names %s is refused', async (_, path) => {
    await sign(({ files }) => ({
      files: [...files, ...files.slice(0, 1).map((file) => ({ ...file, path }))],
    }))
    await cp(join(folder, 'manifest.json'), await objectOf('manifest.json'))
    const restored = restoreSnapshot({ dataFolder, offsite, name: undefined })
    await expect(restored).rejects.toThrow('its manifest.json cannot be read')
    expect(await listLeft()).toEqual([])
  })

  test('with a link or FIFO in the place of its folders is refused', async () => {
    await rename(join(place, 'objects'), join(place, '..', 'objects'))
    await symlink('../objects', join(place, 'objects'))
    const fetched = fetchSnapshot(offsite, { folder: join(dataFolder, '..', 'fetched') })
    await expect(fetched).rejects.toThrow('its objects is a link')
    const [snapshot = ''] = await readdir(join(place, 'snapshots'))
    await rm(join(place, 'snapshots', snapshot))
    await makeFifo(join(place, 'snapshots', snapshot))
    const name = snapshot.replace('.json', '')
    const named = restoreSnapshot({ dataFolder, offsite, name })
    await expect(named).rejects.toThrow(`its snapshots/${snapshot} is neither a file nor a folder`)
    const outside = restoreSnapshot({ dataFolder, offsite, name: '../clutch' })
    await expect(outside).rejects.toThrow('There is no backup ../clutch')
    await rm(join(place, 'snapshots'), { recursive: true })
    await makeFifo(join(place, 'snapshots'))
    const none = restoreSnapshot({ dataFolder, offsite, name: undefined })
    await expect(none).rejects.toThrow('its snapshots is neither a file nor a folder')
    expect(await listLeft()).toEqual([])
  })

  test('is sent no backup with a link or a FIFO in it', async () => {
    await symlink('/etc', join(folder, 'media', 'etc'))
    const sent = sendSnapshot(offsite, { folder, keep: 1 })
    await expect(sent).rejects.toThrow('Its media/etc is a link')
    await rm(join(folder, 'media', 'etc'))
    await replace(VIDEO, makeFifo)
    await expect(sendSnapshot(offsite, { folder, keep: 1 })).rejects.toThrow('neither a file')
  })
})

test('a backup of an older version is compared with what that made, and its readable invites end', async () => {
  const older = join(folder, '..', 'older')
  await mkdir(older)
  const db = openDatabase(older)
  const provider = readMigrationsOf(engineOf(db).migrationsFolder)
  const migrator = new Migrator({ db: db as unknown as Kysely<unknown>, provider })
  await migrator.migrateTo('021-node-problem')
  await sql`INSERT INTO "invites" ("code", "usesMax", "createdAt") VALUES ('readable', 9, '2026-01-01')`.execute(
    db,
  )
  await db.destroy()
  await rm(join(folder, 'clutch.db'))
  await cp(join(older, 'clutch.db'), join(folder, 'clutch.db'))
  await sign(() => ({ files: [], missing: [], videos: 0, members: 0 }))
  await restoreBackup({ dataFolder, folder })
  expect(await runCommand('doctor', { dataFolder })).toMatchObject({ code: 0 })
  const restored = openDatabaseToRead(dataFolder)
  expect(await inviteIsOpen(restored, sha256(Buffer.from('readable')))).toBe(false)
  const invites = await restored.selectFrom('invites').select('codeHash').execute()
  await restored.destroy()
  expect(invites).toEqual([{ codeHash: sha256(Buffer.from('readable')) }])
})
