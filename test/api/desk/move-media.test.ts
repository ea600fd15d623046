import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { moveMedia } from '#server/desk/move/move-media.ts'
import { readConfig } from '#server/platform/config.ts'
import { beginBackup } from '#server/platform/db/maintain.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { openMediaStore, openPlace } from '#server/platform/files/open-media-store.ts'
import { quickCases } from '#test/support/long-form.ts'
import { runCommand } from '#test/support/run-command.ts'
import { startS3Server } from '#test/support/s3-server.ts'
import { writeSmallSite } from '#test/support/small-site.ts'
import { until } from '#test/support/until.ts'

const BUCKET = 's3://clutch/videos'
const KEY = '5'.padStart(32, '0')
const WORDS = ['folder', BUCKET]

let bucket: Awaited<ReturnType<typeof startS3Server>>
/** Of a site that goes to the bucket, and of one that comes back from it. */
let there: Record<string, string>
let back: Record<string, string>
let dataFolder: string

beforeAll(async () => {
  bucket = await startS3Server()
  there = bucket.mediaVariables('videos')
  back = Object.fromEntries(
    Object.entries(there).map(([name, value]) => [
      name === 'MEDIA_STORE' ? 'MEDIA_STORE_OLD' : name.replace('MEDIA_', 'MEDIA_OLD_'),
      value,
    ]),
  )
})
afterAll(() => bucket.stop())
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'clutch-move-'))
  await writeSmallSite(dataFolder, { videos: 6 })
})
afterEach(async () => {
  await rm(dataFolder, { recursive: true, force: true })
  await rm(join(bucket.directory, 'videos'), { recursive: true, force: true })
})

const openSite = (env: Record<string, string>) =>
  openMediaStore(readConfig({ ...env, DATA_DIR: dataFolder }))
const move = (args: string[], env: Record<string, string>) =>
  runCommand('move-media', { dataFolder, args, env })
const doctor = (env: Record<string, string>) => runCommand('doctor', { dataFolder, env })
const keysBelow = (folder: string) =>
  readdir(join(folder, 'media')).then(
    (names) => names.length,
    () => 0,
  )

/** Reads parts of all videos again and again, as viewers do, until it is stopped. */
function watch(media: MediaStore) {
  let isOver = false
  let reads = 0
  const wrong: string[] = []
  const watching = (async () => {
    while (!isOver) {
      for (let id = 1; id <= 6; id++) {
        const key = `media/${String(id).padStart(32, '0')}/video.mp4`
        const body = await media.openRange(key, { start: 13, end: 19 })
        const text = body ? (await buffer(body)).toString() : 'nothing'
        if (text !== `video ${id}`) wrong.push(`${key}: ${text}`)
        reads++
      }
    }
  })()
  return {
    reads: () => reads,
    async stop() {
      isOver = true
      await watching
      return wrong
    },
  }
}

test('a site moves into a bucket and back, and who is watching notices nothing', async () => {
  const going = await openSite(there)
  const viewers = watch(going)
  await until(() => viewers.reads() > 6)
  const moved = await move(WORDS, there)
  expect(moved).toMatchObject({ code: 0, err: '' })
  expect(moved.out).toContain(
    'Moved the media of 6 videos or channels, 1KB in all, to s3://clutch/videos.\n',
  )
  expect(await keysBelow(dataFolder)).toBe(0)
  expect(await keysBelow(join(bucket.directory, 'videos'))).toBe(6)
  const seen = viewers.reads()
  await until(() => viewers.reads() > seen + 6)
  expect(await viewers.stop()).toEqual([])
  expect(await doctor(there)).toMatchObject({ code: 0, err: '' })

  const returning = watch(await openSite(back))
  expect(await move([BUCKET, 'folder'], back)).toMatchObject({ code: 0, err: '' })
  expect(await returning.stop()).toEqual([])
  expect(await keysBelow(dataFolder)).toBe(6)
  expect(await doctor({})).toMatchObject({ code: 0, err: '' })
})

const steps = [['move.removing'], ['move.copied:3'], ['move.verified'], ['move.removed']] as const

test.each(quickCases(steps, []))(
  'a move that was killed at %s goes on where it was',
  async (step) => {
    const killed = await move(WORDS, { ...there, CLUTCH_STOP_AT: step })
    expect(killed.out).not.toContain('Moved')
    expect(await doctor(there)).toMatchObject({ code: 0, err: '' })
    expect(await move(WORDS, there)).toMatchObject({ code: 0, err: '' })
    expect([await keysBelow(dataFolder), await readdir(dataFolder)]).toEqual([
      0,
      expect.not.arrayContaining(['move.partial']),
    ])
    expect(await doctor(there)).toMatchObject({ code: 0, err: '' })
  },
)

test('a video deleted while it is moved leaves nothing, and a backup is waited for', async () => {
  const config = readConfig({ ...there, DATA_DIR: dataFolder })
  const target = await openPlace(config, config.media.store ?? 'folder')
  const folder = await openSite({})
  const end = beginBackup(dataFolder)
  const db = openDatabaseToRead(dataFolder)
  const waits: string[] = []
  const moved = moveMedia({
    ...{ db, dataFolder, from: folder, to: target.media, graceMs: 0 },
    onProgress: () => {},
    onWait: (reason) => {
      if (waits.push(reason) > 1) return
      void deleteVideo().then(() => end?.())
    },
  })
  async function deleteVideo() {
    const rows = openDatabase(dataFolder)
    await rows.deleteFrom('videos').where('mediaKey', '=', KEY).execute()
    await rows.destroy()
    await folder.removePrefix(`media/${KEY}/`)
    await target.media.removePrefix(`media/${KEY}/`)
  }
  expect(await moved).toMatchObject({ videos: 5, allVideos: 6 })
  expect(waits[0]).toBe('Waiting for a backup to end.')
  expect(await keysBelow(join(bucket.directory, 'videos'))).toBe(5)
  await db.destroy()
  await target.close()
})

test('a move that the site would not notice is refused with what to set', async () => {
  expect(await move(WORDS, {})).toEqual({
    code: 1,
    out: '',
    err: `Set MEDIA_STORE=${BUCKET} in the settings, and restart the site first.\n`,
  })
  expect(await move([BUCKET, 'folder'], there)).toMatchObject({
    code: 1,
    err: `Take MEDIA_STORE out of the settings with MEDIA_STORE_OLD=${BUCKET}, and restart the site first.\n`,
  })
  expect(await move([BUCKET, 'folder'], {})).toMatchObject({
    code: 1,
    err: expect.stringContaining('MEDIA_OLD_S3_ENDPOINT'),
  })
  expect(await move(['folder'], there)).toMatchObject({ code: 2 })
})
