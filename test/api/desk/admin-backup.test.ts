import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endInterruptedBackups } from '#server/desk/backup/backup.queries.ts'
import { makeNightlyBackup } from '#server/desk/backup/backup.service.ts'
import { restoreBackup } from '#server/desk/backup/restore-backup.ts'
import type { Overview } from '#shared/schemas/desk/overview.schemas.ts'
import type { Backup } from '#shared/schemas/desk/storage.schemas.ts'
import { longTest } from '#test/support/long-form.ts'
import { answerOf, callProcedure } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'

let site: TestSite
const folder = setUpFolder('backup')
let ann: TestMember
let admin: TestMember

beforeAll(async () => {
  site = await openTestSite({ rateLimitScale: 1_000_000 })
  admin = await site.addMember('admin', { isAdmin: true })
  ann = await site.addMember('ann')
  const mediaKey = 'a'.repeat(32)
  await storeFiles(site, mediaKey, { 'video.mp4': 'x'.repeat(1000) })
  await site.addVideo(ann, { mediaKey, videoUrl: `/media/${mediaKey}/video.mp4` })
})
afterAll(() => site.close())
beforeEach(async () => {
  for (const { id } of await list()) await ask(admin, 'backup.delete', { id })
})

const ask = <Output>(as: TestMember | undefined, name: string, input?: object) =>
  answerOf<Output>(site, { as, name, input })
const list = async () => (await ask<{ items: Backup[] }>(admin, 'backup.list', {})).items
const deps = () => ({ ...site.deps, log: site.log })

async function make(): Promise<Backup> {
  const { id } = await ask<Backup>(admin, 'backup.start')
  await until(async () => (await list())[0]?.state !== 'running')
  const made = (await list()).find((one) => one.id === id)
  expect(made).toMatchObject({ state: 'done', error: null })
  return made as Backup
}

describe('a backup', () => {
  test('is made beside the server, says how it went, and one at a time', async () => {
    const begun = await ask<Backup>(admin, 'backup.start')
    expect(begun).toMatchObject({ state: 'running', cause: 'asked' })
    for (const [name, input] of [
      ['backup.start', undefined],
      ['backup.delete', { id: begun.id }],
    ] as const) {
      expect((await callProcedure(site, { as: admin, name, input })).statusCode).toBe(409)
    }
    await until(async () => (await list())[0]?.state !== 'running')
    expect(await list()).toMatchObject([
      { state: 'done', videos: 1, members: 2, files: site.media.remote ? 0 : 1 },
    ])
    const { lastBackup } = await ask<Overview>(admin, 'overview.get')
    expect(lastBackup).toMatchObject({ state: 'done', error: null })
  })

  test('is downloaded as an archive that can be restored', async () => {
    const { id, name } = await make()
    const url = `/api/backups/${id}/download`
    expectSentence(await site.get(url, { as: ann }), { status: 403 })
    const answer = await site.get(url, { as: admin })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-tar',
      'content-length': `${answer.rawPayload.length}`,
      'content-disposition': `attachment; filename="clutch-backup-${name}.tar"`,
    })
    await writeFile(join(folder, 'backup.tar'), answer.rawPayload)
    await promisify(execFile)('tar', ['-xf', 'backup.tar'], { cwd: folder })
    const restored = join(folder, 'restored')
    const unpacked = join(folder, `clutch-backup-${name}`)
    await restoreBackup({ dataFolder: restored, folder: unpacked })
    expect(await readdir(join(restored, 'media', 'a'.repeat(32)))).toEqual(['video.mp4'])
  })

  test('is found by its day and how it went, and takes its files along when it is deleted', async () => {
    const { id, name } = await make()
    const find = async (q: string) =>
      (await ask<{ items: Backup[] }>(admin, 'backup.list', { q })).items.map((one) => one.name)
    expect(await find(name)).toEqual([name])
    expect(await find('DONE')).toContain(name)
    expect(await find('nightly')).toEqual([])
    await ask(admin, 'backup.delete', { id })
    expect(await readdir(join(site.dataFolder, 'backups'))).not.toContain(name)
    const gone = await site.get(`/api/backups/${id}/download`, { as: admin })
    expectSentence(gone, { status: 404 })
    const log = await ask<{ items: object[] }>(admin, 'audit.list', { limit: 1 })
    expect(log.items).toMatchObject([{ action: 'backup.delete', targetName: name }])
  })

  test('that the server’s end cut off is reported as failed', async () => {
    await addRows(site.db, 'backups', {
      name: 'cut',
      cause: 'asked',
      state: 'running',
      startedAt: '2026-01-01T00:00:00.000Z',
    })
    await endInterruptedBackups(site.db, 'The server was stopped meanwhile.')
    expect(await list()).toMatchObject([
      { state: 'failed', error: 'The server was stopped meanwhile.' },
    ])
  })
})

describe('nightly backups', () => {
  longTest('are made at their hour, once a night, and the oldest go', async () => {
    // One time for all calls, because the hour may end between them.
    const now = new Date()
    const hour = now.getHours()
    const night = (days: number) => new Date(now.getTime() + days * 86_400_000)
    await ask(admin, 'site.edit', { backupHour: (hour + 1) % 24, backupsKept: 1 })
    await makeNightlyBackup(deps(), now)
    expect(await list()).toEqual([])
    await ask(admin, 'site.edit', { backupHour: hour })
    await makeNightlyBackup(deps(), now)
    await makeNightlyBackup(deps(), now)
    const [first] = await list()
    expect(await list()).toMatchObject([{ cause: 'nightly', state: 'done' }])
    const asked = await make()
    await makeNightlyBackup(deps(), night(1))
    const left = await list()
    expect(left.map(({ cause }) => cause)).toEqual(['nightly', 'asked'])
    expect(left.map(({ id }) => id)).toEqual([expect.any(Number), asked.id])
    expect(left.some(({ id }) => id === first?.id)).toBe(false)
    await ask(admin, 'site.edit', { backupHour: null })
    await makeNightlyBackup(deps(), night(3))
    expect(await list()).toHaveLength(2)
  })
})
