import { randomBytes } from 'node:crypto'
import { readdir, readFile, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { insertSiteCheck } from '#server/desk/site-check/site-check.queries.ts'
import { startJanitor, tidy } from '#server/janitor.ts'
import { tryLock } from '#server/platform/cluster/locks.ts'
import { storeKey } from '#server/platform/files/media-store.ts'
import { findSiteMark } from '#server/platform/site/site.queries.ts'
import {
  claimStores,
  findDeleteLock,
  refreshDeleteLocks,
  takeStores,
} from '#server/video/media/store-owner.ts'
import { removeOverUploads } from '#server/video/media/upload-folders.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { makeClip } from '#test/support/clips.ts'
import { copyOfDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, initialize, sendChunk } from '#test/support/upload-client.ts'

const COPY = /^s3:\/\/clutch\/nodes was used by another copy of this site/

let nodes: TestNodes
let one: TestSite
let other: TestSite
let ann: TestMember
beforeEach(async () => {
  nodes = await openTestNodes({ processingJobs: 0 })
  ;({ one, other } = nodes)
  ann = await one.addMember('ann')
})
afterEach(() => nodes.close())

const placeOf = ({ db, dataFolder }: TestSite) => ({ db, dataFolder })

/** A round of tidying, and what it said. */
async function tidyAt(site: TestSite, suspects = new Set<string>()) {
  const said: unknown[] = []
  const log = { ...site.log, warn: (details: object) => said.push(details) }
  return { seen: await tidy({ ...site.deps, log }, suspects), said }
}

/** A file of a video in the store that came two hours ago. */
async function addStored(): Promise<string> {
  const mediaKey = randomBytes(16).toString('hex')
  const key = storeKey(mediaKey, 'video.mp4')
  await one.media.put([{ key, bytes: Buffer.from('video') }])
  await one.addVideo(ann, { mediaKey, videoUrl: `/${key}` })
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  const path = join(nodes.bucket.directory, 'nodes', 'media', mediaKey)
  for (const name of await readdir(path)) await utimes(join(path, name), longAgo, longAgo)
  return key
}

test('nodes of one site do not take each other for copies of it', async () => {
  for (let round = 0; round < 3; round++) {
    await Promise.all([one, other].map((site) => takeStores(placeOf(site), site.media)))
    for (const site of [one, other]) expect((await tidyAt(site)).said).toEqual([])
  }
  const late = await nodes.open()
  expect(await takeStores(placeOf(late), late.media)).toEqual([])
  expect(await findDeleteLock(placeOf(late), late.media)).toBeUndefined()
})

test('an older copy of the database deletes nothing in the store, and the nodes hear of it', async () => {
  await takeStores(placeOf(one), one.media)
  await one.db.destroy()
  await other.db.destroy()
  const url = await copyOfDatabase(nodes.databaseUrl)
  onTestFinished(() => dropDatabase(url))
  ;[one, other] = [await nodes.open(), await nodes.open()]
  const key = await addStored()
  await tidyAt(other)
  const copy = await openTestSite({ databaseUrl: url, media: one.config.media })
  let suspects = new Set<string>()
  for (let round = 0; round < 3; round++) suspects = (await tidyAt(copy, suspects)).seen
  expect(await findDeleteLock(placeOf(copy), copy.media)).toMatch(COPY)
  await expect(copy.media.removePrefix(key)).rejects.toThrow(COPY)
  expect(await one.media.stat(key)).toBeDefined()
  // A node of the living site finds out, and the other hears of it.
  expect((await tidyAt(one)).said).toEqual([{ reason: expect.stringMatching(COPY) }])
  await refreshDeleteLocks(placeOf(other), other.media)
  await expect(other.media.removePrefix(key)).rejects.toThrow(COPY)
  await claimStores(placeOf(one), one.media)
  await refreshDeleteLocks(placeOf(other), other.media)
  await other.media.removePrefix(key)
  expect(await one.media.stat(key)).toBeUndefined()
  await copy.close()
})

test('one node at a time tidies what is the site’s', async () => {
  const site = await findSiteMark(one.db, 'media')
  const release = await tryLock(one.db, 'janitor')
  const stop = startJanitor({ ...other.deps, log: other.log })
  await stop()
  const mark = () => other.media.stat('site.json')
  expect(await mark()).toBeUndefined()
  await release?.()
  const stopAgain = startJanitor({ ...other.deps, log: other.log })
  await until(async () => (await mark()) !== undefined)
  await stopAgain()
  const path = join(nodes.bucket.directory, 'nodes', 'site.json._S3rver_object')
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ site })
})

test('a round of tidying leaves videos whose time has come to the node that is at them', async () => {
  const id = await one.addVideo(ann, {
    expiresAt: new Date(Date.now() - 1000).toISOString(),
    expiryAction: 'private',
  })
  const visibility = async () => {
    const query = one.db.selectFrom('videos').select('visibility').where('id', '=', id)
    return (await query.executeTakeFirst())?.visibility
  }
  const release = await tryLock(one.db, 'expiry')
  await tidyAt(other)
  expect(await visibility()).toBe('public')
  await release?.()
  await tidyAt(other)
  expect(await visibility()).toBe('private')
})

test('a check of the files that a living node makes is not ended by another that starts', async () => {
  const release = await tryLock(one.db, 'check')
  const id = await insertSiteCheck(one.db)
  const states = async () => {
    const stop = startJanitor({ ...other.deps, log: other.log })
    await stop()
    const query = other.db.selectFrom('siteChecks').select('state').where('id', '=', id)
    return (await query.executeTakeFirst())?.state
  }
  expect(await states()).toBe('running')
  await release?.()
  await until(async () => (await states()) === 'failed')
})

test('chunks that came to a node go from its disk when another one has finished the upload', async () => {
  const path = await makeClip({
    path: join(one.dataFolder, 'long.mp4'),
    seconds: 3,
  })
  const file = await readFile(path)
  const bytes = Buffer.concat([
    file,
    Buffer.alloc(Math.max(0, UPLOAD_CHUNK_BYTES + 1 - file.length)),
  ])
  const { uploadId } = (await initialize({ site: one, as: ann }, { size: bytes.length })).json()
  const totalChunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const chunk = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    const to = { site: chunkIndex % 2 ? other : one, as: ann }
    expect(
      (await sendChunk(to, { uploadId, chunkIndex, totalChunks, bytes: chunk })).statusCode,
    ).toBe(200)
  }
  const folders = () => Promise.all([one, other].map(({ disk }) => readdir(disk.folders.uploads)))
  expect(await folders()).toEqual([[uploadId], [uploadId]])
  await removeOverUploads(one.deps)
  expect(await folders()).toEqual([[uploadId], [uploadId]])
  expect((await complete({ site: other, as: ann }, { uploadId })).statusCode).toBe(200)
  expect(await folders()).toEqual([[uploadId], []])
  await removeOverUploads(one.deps)
  expect(await folders()).toEqual([[], []])
})

/** Has each of these nodes take a copy. @returns what each has, whenever it is asked */
async function copyTo(sites: TestSite[], key: string): Promise<() => string[][]> {
  for (const { media } of sites) (await media.localCopy(key))?.release()
  return () => sites.map(({ media }) => media.remote?.listCopies() ?? [])
}

test('what a node deletes no other keeps a copy of', async () => {
  const [gone, kept] = [await addStored(), await addStored()]
  await copyTo([one, other], gone)
  const copies = await copyTo([one, other], kept)
  const { id } = await readRow(one.db, 'videos', { videoUrl: `/${gone}` })
  await answerOf(one, { as: ann, name: 'video.delete', input: { id } })
  await until(() => copies().flat().length === 2)
  expect(copies()).toEqual([[kept], [kept]])
  expect(await listFilesIn(join(other.dataFolder, 'cache'))).toEqual([kept])
})

test('a node that did not hear what was deleted finds it when it tidies', async () => {
  const [gone, kept, changed] = [await addStored(), await addStored(), await addStored()]
  for (const key of [gone, kept]) await copyTo([other], key)
  const old = changed.replace('video.mp4', 'captions-1.vtt')
  await one.media.put([{ key: old, bytes: Buffer.from('WEBVTT') }])
  const copies = await copyTo([other], old)
  await one.db.deleteFrom('videos').where('videoUrl', '=', `/${gone}`).execute()
  await tidyAt(other)
  expect(copies()).toEqual([[kept]])
  expect(await listFilesIn(join(other.dataFolder, 'cache'))).toEqual([kept])
})

async function listFilesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((file) => relative(folder, join(file.parentPath, file.name)))
}
