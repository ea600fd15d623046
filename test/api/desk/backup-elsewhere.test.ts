import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { openTestSite, type TestSite } from '#test/support/test-site.ts'

let bucket: Awaited<ReturnType<typeof startS3Server>>
let env: Record<string, string>
let site: TestSite
const base = setUpFolder('elsewhere')
let kept: string
let deleted: string

beforeAll(async () => {
  bucket = await startS3Server()
  env = bucket.mediaVariables('videos')
  site = await openTestSite({ media: readConfig(env).media })
  kept = await addStored('Kept')
  deleted = await addStored('Deleted')
})
afterAll(async () => {
  await site.close()
  await bucket.stop()
})

async function addStored(title: string): Promise<string> {
  const owner = await site.addMember(title.toLowerCase())
  const mediaKey = randomBytes(16).toString('hex')
  await site.media.put([{ key: storeKey(mediaKey, 'video.mp4'), bytes: Buffer.from(title) }])
  await site.addVideo(owner, { title, mediaKey, videoUrl: `/media/${mediaKey}/video.mp4` })
  return mediaKey
}

const backUp = (folder: string, ...args: string[]) =>
  runCommand('backup', { dataFolder: site.dataFolder, env, args: [folder, ...args] })
const restore = (name: string, folder: string, more: Record<string, string> = env) =>
  runCommand('restore', { dataFolder: join(base, name), env: more, args: [folder] })
const doctor = (name: string, more: Record<string, string> = env) =>
  runCommand('doctor', { dataFolder: join(base, name), env: more })

test('a backup lists the media of a store, and a restore says which of them are gone', async () => {
  const folder = join(base, 'listed')
  const made = await backUp(folder)
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('the list of 2 media files.')
  expect(made.out).toContain('The media themselves stay in s3://clutch/videos;')
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  expect(manifest).toMatchObject({ version: 3, media: 'store', store: 's3://clutch/videos' })
  expect(await readdir(join(folder, 'media'))).toEqual([])

  const whole = await restore('whole', folder)
  expect(whole.out).toContain('The media that its rows speak of are all in s3://clutch/videos.')
  expect(await doctor('whole')).toMatchObject({ code: 0 })

  await site.media.removePrefix(storeKey(deleted))
  const partly = await restore('partly', folder)
  expect(partly).toMatchObject({ code: 0, err: '' })
  expect(partly.out).toContain(
    `1 file that its rows speak of are not in s3://clutch/videos:\nmissing: media/${deleted}/video.mp4`,
  )
  const db = openDatabaseToRead(join(base, 'partly'))
  const rows = await db.selectFrom('videos').select(['mediaKey', 'videoFileExists']).execute()
  await db.destroy()
  expect(new Map(rows.map((row) => [row.mediaKey, row.videoFileExists]))).toEqual(
    new Map([
      [kept, 1],
      [deleted, 0],
    ]),
  )
})

test('the drill of a backup that lists media forgives what was deleted since, and nothing else', async () => {
  await mkdir(join(site.dataFolder, 'backups'), { recursive: true })
  await site.media.put([{ key: storeKey(deleted, 'video.mp4'), bytes: Buffer.from('Deleted') }])
  await backUp(join(site.dataFolder, 'backups', 'newest'))
  const drill = () => runCommand('restore-drill', { dataFolder: site.dataFolder, env })
  await site.media.removePrefix(storeKey(deleted))
  expect(await drill()).toMatchObject({ code: 1, err: expect.stringContaining('is missing') })
  await site.db.deleteFrom('videos').where('mediaKey', '=', deleted).execute()
  expect(await drill()).toMatchObject({ code: 0, err: '' })
})

test('a backup with media is one of any site: it goes back into a folder, or into another bucket', async () => {
  const folder = join(base, 'held')
  expect(await backUp(folder, '--with-media')).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')).version).toBe(2)

  expect(await restore('folder', folder, {})).toMatchObject({ code: 0, err: '' })
  expect(await readFile(join(base, 'folder', 'media', kept, 'video.mp4'), 'utf8')).toBe('Kept')
  expect(await doctor('folder', {})).toMatchObject({ code: 0 })

  const other = bucket.mediaVariables('other')
  expect(await restore('other', folder, other)).toMatchObject({ code: 0, err: '' })
  expect(await doctor('other', other)).toMatchObject({ code: 0 })
  expect(await readFile(join(folder, 'media', kept, 'video.mp4'), 'utf8')).toBe('Kept')
})
