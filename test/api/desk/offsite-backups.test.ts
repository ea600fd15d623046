import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeNightlyBackup } from '#server/desk/backup/backup.service.ts'
import { fetchSnapshot, sendSnapshot } from '#server/desk/backup/offsite/snapshots.ts'
import { restoreSnapshot } from '#server/desk/backup/restore-backup.ts'
import { makeMonthlyDrill } from '#server/desk/backup/restore-drill.service.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { type Offsite, offsiteEnvironment, readOffsite } from '#server/platform/offsite-config.ts'
import type { Backup, BackupSafety } from '#shared/schemas/desk/storage.schemas.ts'
import { startFaultProxy } from '#test/support/fault-proxy.ts'
import { longTest } from '#test/support/long-form.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

const KEY = 'a'.repeat(32)
const BYTES = 'x'.repeat(300_000)

const base = setUpFolder('offsite')
let place: string
let site: TestSite
let admin: TestMember

beforeEach(async () => {
  place = await mkdtemp(join(base, 'place-'))
})
afterEach(() => site.close())

const inFolder = (more: object = {}): Offsite => ({
  ...{ place: { folder: place }, target: place, recipient: undefined, identity: undefined },
  ...more,
})

async function openSite(offsite: Offsite | undefined) {
  site = await openTestSite({ offsite })
  admin = await site.addMember('admin', { isAdmin: true })
  await storeFiles(site, KEY, { 'video.mp4': BYTES })
  await site.addVideo(admin, { mediaKey: KEY, videoUrl: `/media/${KEY}/video.mp4` })
}

const ask = <Output>(name: string, input?: object) =>
  answerOf<Output>(site, { as: admin, name, input })
const list = async () => (await ask<{ items: Backup[] }>('backup.list', {})).items
const safety = () => ask<BackupSafety>('backup.safety')

async function backUp(): Promise<Backup> {
  await ask('backup.start')
  const isOver = ({ state, sendState }: Backup) =>
    state === 'failed' || sendState === 'sent' || sendState === 'failed'
  await until(async () => (await list()).slice(0, 1).some(isOver))
  const [made] = await list()
  return made as Backup
}

async function prove() {
  await ask('backup.startDrill')
  await until(async () => (await safety()).lastDrill?.state !== 'running')
  return safety()
}

async function expectRestorable(offsite: Offsite) {
  const dataFolder = await mkdtemp(join(base, 'restored-'))
  await restoreSnapshot({ dataFolder, offsite, name: undefined })
  expect(await readFile(join(dataFolder, 'media', KEY, 'video.mp4'), 'utf8')).toBe(BYTES)
  const db = openDatabaseToRead(dataFolder)
  const videos = await db.selectFrom('videos').select('mediaKey').execute()
  await db.destroy()
  expect(videos).toEqual([{ mediaKey: KEY }])
  expect((await readdir(dataFolder)).sort()).not.toContain('restore.fetched')
}

const objects = async () =>
  (await readdir(join(place, 'objects'), { recursive: true })).filter((name) => name.length > 3)

/** The oldest first. */
const snapshots = async () =>
  (await readdir(join(place, 'snapshots'))).sort().map((name) => name.replace('.json', ''))

describe('a second folder', () => {
  test('gets each backup, what is there already only once, and as many as are kept', async () => {
    await openSite(inFolder())
    await ask('site.edit', { backupsKept: 2 })
    expect(await backUp()).toMatchObject({ state: 'done', sendState: 'sent', sendError: null })
    expect(await objects()).toHaveLength(3)
    await storeFiles(site, KEY, { 'video.mp4': BYTES })
    await backUp()
    expect(await objects()).toHaveLength(5)
    await backUp()
    expect(await snapshots()).toHaveLength(2)
    expect(await objects()).toHaveLength(5)
    await expectRestorable(inFolder())
  })

  test('is proven by a restore once a month, and the desk says which backup', async () => {
    await openSite(inFolder())
    expect(await safety()).toMatchObject({ lastDrill: null, lastProof: null })
    await ask('site.edit', { backupHour: new Date().getHours() })
    const deps = { ...site.deps, log: site.log }
    await makeMonthlyDrill(deps)
    expect(await safety()).toMatchObject({ lastDrill: null })
    await makeNightlyBackup(deps)
    await makeMonthlyDrill(deps)
    const [snapshot] = await snapshots()
    expect(await safety()).toMatchObject({
      offsite: { target: place, isEncrypted: false },
      lastProof: { backupName: snapshot, videos: 1, files: 1, isOffsite: true },
    })
    const tomorrow = new Date(Date.now() + 86_400_000)
    await makeMonthlyDrill(deps, tomorrow)
    expect((await safety()).lastDrill?.id).toBe((await safety()).lastProof?.id)
    for (const name of await objects()) await writeFile(join(place, 'objects', name), 'harm')
    const failed = await prove()
    expect(failed.lastDrill).toMatchObject({ state: 'failed', error: /damaged/ })
    expect(failed.lastProof).toMatchObject({ backupName: snapshot })
    expect(await readdir(join(site.dataFolder, 'backups'))).not.toContain('restore-drill')
    const inAMonth = new Date(Date.now() + 31 * 86_400_000)
    await makeMonthlyDrill(deps, inAMonth)
    expect((await safety()).lastDrill?.id).toBe((failed.lastDrill?.id ?? 0) + 1)
  })

  longTest('of another site is left alone, with a sentence', async () => {
    await openSite(inFolder())
    await backUp()
    await site.close()
    await openSite(inFolder())
    expect(await backUp()).toMatchObject({
      state: 'done',
      sendState: 'failed',
      sendError: 'BACKUP_TARGET holds the backups of another site. Choose another one.',
    })
  })

  test('has only what its key opens where a recipient is set', async () => {
    const identity = await generateIdentity()
    const recipient = await identityToRecipient(identity)
    await openSite(inFolder({ recipient }))
    await backUp()
    const names = await objects()
    expect(names.every((name) => name.endsWith('.age'))).toBe(true)
    for (const name of names) {
      const bytes = await readFile(join(place, 'objects', name))
      expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
      expect(bytes.includes(BYTES.slice(0, 100))).toBe(false)
    }
    const refusals = [
      [undefined, 'This backup is encrypted. Set BACKUP_AGE_IDENTITY to open it.'],
      [await generateIdentity(), 'BACKUP_AGE_IDENTITY does not open the backup'],
    ] as const
    for (const [wrong, sentence] of refusals) {
      const folder = join(base, 'refused')
      const fetched = fetchSnapshot(inFolder({ identity: wrong }), { folder })
      await expect(fetched).rejects.toThrow(sentence)
    }
    expect((await prove()).lastDrill).toMatchObject({ state: 'failed', error: /encrypted/ })
    await expectRestorable(inFolder({ identity }))
  })
})

longTest(
  'a backup that is sent from a shell is as new as it is, whatever its folder is called',
  async () => {
    await openSite(inFolder())
    const folder = join(base, 'zulu')
    const env = offsiteEnvironment(inFolder())
    const { dataFolder } = site
    expect(await runCommand('backup', { dataFolder, args: [folder] })).toMatchObject({ code: 0 })
    const sent = await runCommand('send-backup', { dataFolder, args: [folder], env })
    expect(sent).toMatchObject({ code: 0, err: '' })
    const { name } = await backUp()
    expect((await prove()).lastProof?.backupName?.slice(0, 16)).toBe(name.slice(0, 16))
    expect((await readdir(join(place, 'snapshots'))).some((one) => one.startsWith('zulu'))).toBe(
      false,
    )
  },
)

test('a command that the site starts reads no secret twice', () => {
  const values = offsiteEnvironment(inFolder({ identity: 'AGE-SECRET-KEY-1' }))
  expect(values).toMatchObject({ BACKUP_AGE_IDENTITY_FILE: '', BACKUP_S3_SECRET_ACCESS_KEY: '' })
})

describe('S3-compatible storage', () => {
  test('gets backups by the command, and gives them back to an empty folder', async () => {
    const s3 = await startS3Server()
    try {
      await openSite(s3.offsite)
      expect(await backUp()).toMatchObject({ sendState: 'sent', sendError: null })
      expect((await prove()).lastProof).toMatchObject({ isOffsite: true, videos: 1, files: 1 })
      await expectRestorable(s3.offsite)
      const dataFolder = join(base, 'by-command')
      const env = offsiteEnvironment(s3.offsite)
      const args = [s3.offsite.target]
      const restored = await runCommand('restore', { dataFolder, args, env })
      expect(restored).toMatchObject({ code: 0, err: '' })
      expect(await runCommand('doctor', { dataFolder })).toMatchObject({ code: 0 })
    } finally {
      await s3.stop()
    }
  })

  test('gets again what arrived with another byte, and a read that breaks off is continued', async () => {
    const s3 = await startS3Server()
    const proxy = await startFaultProxy(s3.endpoint)
    try {
      const { place: direct, ...offsite } = s3.offsite
      if (!('s3' in direct)) throw new Error('It is no bucket.')
      const through = { ...offsite, place: { s3: { ...direct.s3, endpoint: proxy.endpoint } } }
      await openSite(through)
      proxy.fail('corrupt', { times: 2, of: /^PUT .*objects/ })
      expect(await backUp()).toMatchObject({ sendState: 'sent', sendError: null })
      const puts = proxy.seen.filter((line) => /^PUT .*objects/.test(line))
      expect(puts).toHaveLength(new Set(puts).size + 2)
      proxy.fail({ after: 100 }, { times: 2, of: /^GET .*objects/ })
      await expectRestorable(through)
      expect(proxy.ranges.filter((range) => /^bytes=100-\d{3,}$/.test(range))).not.toEqual([])
      proxy.fail('corrupt', { of: /^PUT/ })
      const { sendError } = await backUp()
      expect(sendError).toMatch(
        /^The backup target could not take .*: The storage at .* has other bytes of .* than were sent/,
      )
    } finally {
      await proxy.stop()
      await s3.stop()
    }
  })

  longTest('that is not reached costs no backup, and can be sent to again', async () => {
    const s3 = await startS3Server()
    await s3.stop()
    await openSite(s3.offsite)
    const made = await backUp()
    expect(made).toMatchObject({ state: 'done', sendState: 'failed' })
    expect(made.sendError).toMatch(/^The backup target could not /)
    await ask('backup.send', { id: made.id })
    await until(async () => (await list())[0]?.sendState === 'failed')
  })
})

test('what a second place lacks is said in one sentence', async () => {
  await openSite(undefined)
  const missing: Offsite = { ...inFolder(), place: { folder: join(base, 'not-mounted') } }
  const unsent = fetchSnapshot(missing, { folder: join(base, 'fetched') })
  await expect(unsent).rejects.toThrow('which is not there. Make the folder, or mount its disk.')
  const values = { BACKUP_S3_REGION: 'auto', BACKUP_TARGET: 's3://clips/site' }
  expect(readOffsite(values)).toBe(
    "BACKUP_S3_ENDPOINT must be set, since BACKUP_TARGET is 's3://clips/site'.",
  )
  await expect(sendSnapshot(inFolder(), { folder: join(base, 'none'), keep: 1 })).rejects.toThrow(
    'is not a backup',
  )
  const refused = await runCommand('send-backup', {
    ...{ dataFolder: site.dataFolder, args: ['x'] },
    env: { BACKUP_TARGET: 'relative/folder' },
  })
  expect(refused.err).toContain('BACKUP_TARGET must be the whole path of a folder')
})
