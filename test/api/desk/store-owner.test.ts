import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { openPlace } from '#server/platform/files/open-media-store.ts'
import { longTest } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { startServer } from '#test/support/server-process.ts'
import { writeSmallSite } from '#test/support/small-site.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'

const COPY =
  's3://clutch/videos was used by another copy of this site, so nothing is deleted there. If this copy is to continue, run npm run doctor -- --claim-store.'
const OTHER =
  's3://clutch/videos holds the videos of another site. Choose another place for MEDIA_STORE, or set DATA_DIR to the data folder that belongs to it.'

let bucket: Awaited<ReturnType<typeof startS3Server>>
let env: Record<string, string>
let folder: string
let site: TestSite
let ann: TestMember

beforeAll(async () => {
  bucket = await startS3Server()
  env = bucket.mediaVariables('videos')
})
afterAll(() => bucket.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-owner-'))
  site = await openTestSite({ media: readConfig(env).media })
  ann = await site.addMember('ann')
})
afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
  await rm(join(bucket.directory, 'videos'), { recursive: true, force: true })
})

/** A video of the site whose file came two hours ago. */
async function addStored(): Promise<string> {
  const mediaKey = randomBytes(16).toString('hex')
  const key = storeKey(mediaKey, 'video.mp4')
  await site.media.put([{ key, bytes: Buffer.from('video') }])
  await site.addVideo(ann, { mediaKey, videoUrl: `/${key}` })
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  const path = join(bucket.directory, 'videos', 'media', mediaKey)
  for (const name of await readdir(path)) await utimes(join(path, name), longAgo, longAgo)
  return key
}

async function tidyOften(of: TestSite, times = 3) {
  let suspects = new Set<string>()
  const said: unknown[] = []
  const log = { ...of.log, warn: (details: object) => said.push(details) }
  for (let round = 0; round < times; round++) suspects = await tidy({ ...of.deps, log }, suspects)
  return said
}

/** The site as it is now, in a data folder of its own, as a backup or a copy of its disk leaves it. */
async function copySite(): Promise<TestSite> {
  const dataFolder = join(folder, `copy-${randomBytes(4).toString('hex')}`)
  await mkdir(dataFolder)
  await sql`VACUUM INTO ${join(dataFolder, 'clutch.db')}`.execute(site.db)
  return openTestSite({ dataFolder, media: site.config.media })
}

const doctor = (of: { dataFolder: string }, ...args: string[]) =>
  runCommand('doctor', { dataFolder: of.dataFolder, args, env })

test('a site with another database leaves the store of a living site alone, and does not start', async () => {
  const key = await addStored()
  await tidyOften(site)
  const other = await openTestSite({ media: site.config.media })
  expect(await tidyOften(other)).toContainEqual({ reason: OTHER })
  expect(await site.media.stat(key)).toBeDefined()
  await expect(other.media.removePrefix(key)).rejects.toThrow(OTHER)
  expect(await doctor(other)).toEqual({ code: 1, out: '', err: `${OTHER}\n` })
  expect(await doctor(other, '--claim-store')).toMatchObject({ code: 1, err: `${OTHER}\n` })
  await other.close()
  await expect(startServer({ env, dataFolder: join(folder, 'empty') })).rejects.toThrow(OTHER)
  expect(await doctor(site)).toMatchObject({ code: 0 })
})

test('an older copy of a site deletes nothing in its store, until an admin says which one goes on', async () => {
  await tidyOften(site)
  const copy = await copySite()
  const key = await addStored()
  await tidyOften(site, 1)
  expect(await tidyOften(copy)).toContainEqual({ reason: COPY })
  expect(await site.media.stat(key)).toBeDefined()
  expect(await doctor(copy)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^held: s3:.*\norphaned: media\//),
  })
  // The living site hears of the copy, too.
  expect(await tidyOften(site, 1)).toContainEqual({ reason: COPY })
  expect(await doctor(site, '--claim-store')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`s3://clutch/videos belongs to ${site.dataFolder} from now on.`),
  })
  expect(await tidyOften(site)).toEqual([])
  await site.db.deleteFrom('videos').execute()
  await tidyOften(site)
  expect(await site.media.stat(key)).toBeUndefined()
  await copy.close()
})

test('a copy whose files came with it is known by what happened since', async () => {
  await tidyOften(site)
  const copy = await copySite()
  const record = 'media-store.json'
  await copyFile(join(site.dataFolder, record), join(copy.dataFolder, record))
  const key = await addStored()
  await tidyOften(site, 1)
  expect(await tidyOften(copy)).toContainEqual({ reason: COPY })
  expect(await site.media.stat(key)).toBeDefined()
  await copy.close()
})

test('a store from before there were marks belongs to the site whose rows it matches', async () => {
  const key = await addStored()
  const other = await openTestSite({ media: site.config.media })
  expect(await tidyOften(other)).toContainEqual({ reason: OTHER })
  await other.close()
  expect(await tidyOften(site)).toEqual([])
  expect(await site.media.stat(key)).toBeDefined()
  const server = await startServer({ env, dataFolder: site.dataFolder })
  expect(await server.stop()).toBe(0)
})

longTest(
  'a move marks where it goes, takes the mark from where it came, and is refused by another site’s store',
  async () => {
    const dataFolder = join(folder, 'moving')
    await writeSmallSite(dataFolder, { videos: 2 })
    const there = bucket.mediaVariables('moved')
    const move = (args: string[], more: Record<string, string>) =>
      runCommand('move-media', { dataFolder, args, env: more })
    expect(await move(['folder', 's3://clutch/moved'], there)).toMatchObject({ code: 0 })
    const { media } = readConfig(there)
    const target = await openPlace({ dataFolder }, media.store ?? 'folder')
    expect(await target.media.stat('site.json')).toBeDefined()
    const back = Object.fromEntries(
      Object.entries(there).map(([name, value]) => [
        name === 'MEDIA_STORE' ? 'MEDIA_STORE_OLD' : name.replace('MEDIA_', 'MEDIA_OLD_'),
        value,
      ]),
    )
    expect(await move(['s3://clutch/moved', 'folder'], back)).toMatchObject({ code: 0 })
    expect(await target.media.stat('site.json')).toBeUndefined()
    await target.close()
    await addStored()
    await tidyOften(site)
    expect(await move(['folder', 's3://clutch/videos'], env)).toMatchObject({
      ...{ code: 1, out: '' },
      err: `${OTHER}\n`,
    })
    const db = openDatabase(dataFolder)
    expect(await db.selectFrom('videos').select('id').execute()).toHaveLength(2)
    await db.destroy()
  },
)

test('a backup goes back into the store of its own site alone, and deletes nothing there', async () => {
  await addStored()
  await tidyOften(site)
  const backup = join(folder, 'backup')
  const made = await runCommand('backup', { dataFolder: site.dataFolder, args: [backup], env })
  expect(made).toMatchObject({ code: 0 })
  const later = await addStored()
  const dataFolder = join(folder, 'restored')
  const restored = await runCommand('restore', { dataFolder, args: [backup], env })
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.out).toContain('run npm run doctor -- --claim-store.')
  const again = await openTestSite({ dataFolder, media: site.config.media })
  expect(await tidyOften(again)).toContainEqual({ reason: COPY })
  expect(await site.media.stat(later)).toBeDefined()
  await again.close()

  const other = await openTestSite({ media: readConfig(bucket.mediaVariables('others')).media })
  await tidyOften(other)
  const refused = await runCommand('restore', {
    ...{ dataFolder: join(folder, 'wrong'), args: [backup] },
    env: bucket.mediaVariables('others'),
  })
  expect(refused).toMatchObject({ code: 1, err: `${OTHER.replace('videos ', 'others ')}\n` })
  await other.close()
})
