import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { followNotifications } from '#test/support/live-events.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { makePng } from '#test/support/png.ts'
import { createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import {
  answerOf,
  ask,
  askAt,
  type NodeMember,
  register,
  type SeveralNodes,
  startNodes,
} from '#test/support/several-nodes.ts'
import { addVideos } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'
import { multipart } from '#test/support/upload-client.ts'
import { followVideo } from '#test/support/video-events.ts'

/** Each password that is tried costs as much as a login. */
const SCALE = isLongForm ? 10 : 4

let url: string
let db: Database
let site: SeveralNodes
let a: string
let b: string
let ada: NodeMember
let ann: NodeMember
beforeAll(async () => {
  url = await createMigratedDatabase()
  db = openPostgresDatabase(url)
  site = await startNodes({ urls: [url, url], env: { RATE_LIMIT_SCALE: String(SCALE) } })
  ;[a, b] = site.nodes.map(({ origin }) => origin) as [string, string]
  ada = await register(site.origin, 'ada')
  await db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', ada.id).execute()
  ann = await register(site.origin, 'ann')
  await db.updateTable('sessions').set({ confirmedAt: timestamp() }).execute()
})
afterAll(async () => {
  await site?.stop()
  await db.destroy()
  await dropDatabase(url)
})

const addVideo = async (owner: NodeMember, title = 'A video') =>
  (
    await addVideos(db, [{ userId: owner.id, title, foldedTitle: title.toLowerCase() }])
  )[0] as number
const as = (member?: NodeMember) => member && { as: member }
const statusOf = async (origin: string, name: string, input?: unknown, member?: NodeMember) =>
  (await ask(origin, { ...as(member), name, input })).status
const succeed = async (origin: string, name: string, input: unknown, member: NodeMember) =>
  answerOf<unknown>(origin, { as: member, name, input })
const isListed = async (origin: string, id: number) =>
  (
    await answerOf<{ items: { id: number }[] }>(origin, { name: 'video.list', input: {} })
  ).items.some((video) => video.id === id)

test('whoever logs out at one node is a visitor at the other with the next request', async () => {
  for (let round = 0; round < 5; round++) {
    const guest = await register(a, `guest${round}`)
    expect(await statusOf(b, 'notification.list', { userId: guest.id }, guest)).toBe(200)
    await succeed(a, 'auth.logout', undefined, guest)
    expect(await statusOf(b, 'notification.list', { userId: guest.id }, guest)).toBe(401)
  }
})

test('whoever is banned, or admin no more, at one node is refused by the other at once', async () => {
  const bob = await register(b, 'bob')
  const video = await addVideo(ada)
  const comment = { videoId: video, content: 'Nice' }
  await succeed(b, 'comment.create', comment, bob)
  await succeed(a, 'moderation.setAdmin', { userId: bob.id, isAdmin: true }, ada)
  expect(await statusOf(b, 'site.adminSettings', undefined, bob)).toBe(200)
  await succeed(a, 'moderation.setAdmin', { userId: bob.id, isAdmin: false }, ada)
  expect(await statusOf(b, 'site.adminSettings', undefined, bob)).toBe(403)
  await succeed(a, 'moderation.ban', { userId: bob.id, reason: 'Not ours' }, ada)
  expect(await statusOf(b, 'comment.create', comment, bob)).toBe(401)
})

test('a token that is revoked at one node opens nothing at the other', async () => {
  const { id, token } = await answerOf<{ id: number; token: string }>(a, {
    as: ann,
    name: 'apiToken.create',
    input: { name: 'Script', scope: 'read', days: 30 },
  })
  const read = () => askAt(b, { url: '/api/user', headers: { authorization: `Bearer ${token}` } })
  expect((await read()).status).toBe(200)
  await succeed(a, 'apiToken.revoke', { id }, ann)
  expect((await read()).status).toBe(401)
})

test('what is hidden, private or deleted at one node is gone at the other, which had it in memory', async () => {
  const changes: ((id: number) => Promise<unknown>)[] = [
    (id) => succeed(a, 'moderation.hideVideo', { id, reason: 'Not ours' }, ada),
    (id) => succeed(a, 'video.edit', { id, visibility: 'private' }, ann),
    (id) => succeed(a, 'video.delete', { id }, ann),
  ]
  for (let round = 0; round < (isLongForm ? 102 : 6); round++) {
    const id = await addVideo(ann)
    // Twice: the second answer comes from memory.
    for (let time = 0; time < 2; time++) {
      expect(await isListed(b, id)).toBe(true)
      expect((await askAt(b, { url: `/video/${id}` })).status).toBe(200)
      expect(await statusOf(b, 'video.get', { id })).toBe(200)
    }
    await changes[round % changes.length]?.(id)
    // Each of them is the next request once.
    const looks = [
      async () => expect(await statusOf(b, 'video.get', { id })).toBe(404),
      async () => expect((await askAt(b, { url: `/api/videos/${id}` })).status).toBe(404),
      async () => expect(await isListed(b, id)).toBe(false),
    ]
    for (let at = 0; at < looks.length; at++) await looks[(round + at) % looks.length]?.()
  }
})

longTest(
  'what the other node suggested and found goes with a change at one, before its index follows',
  async () => {
    const bea = await register(a, 'bearcat')
    const changes: ((id: number) => Promise<unknown>)[] = [
      (id) => succeed(a, 'video.edit', { id, visibility: 'private' }, bea),
      (id) => succeed(a, 'video.edit', { id, title: 'Other', tags: [], isAnonymous: true }, bea),
      () => succeed(a, 'moderation.ban', { userId: bea.id, reason: 'Not ours' }, ada),
    ]
    // Searches as a visitor, whose answers are cached, or as a member.
    const found = async (member?: NodeMember) => {
      const suggested = { name: 'search.suggest', input: { q: 'bear' }, ...as(member) }
      const channels = { name: 'search.channels', input: { q: 'bear' }, ...as(member) }
      const videos = { name: 'search.videos', input: { q: 'bearcat' }, ...as(member) }
      return [
        ...(await answerOf<unknown[]>(b, suggested)),
        ...(await answerOf<unknown[]>(b, channels)),
        ...(await answerOf<{ items: unknown[] }>(b, videos)).items,
      ]
    }
    for (const make of changes) {
      const video = { userId: bea.id, title: 'Bearcats', foldedTitle: 'bearcats' }
      const [id = 0] = await addVideos(db, [{ ...video, tags: '["bearings"]' }])
      for (const member of [undefined, ann]) {
        await until(async () => (await found(member)).length === 5)
      }
      await make(id)
      expect(await found()).toEqual([])
      expect(await found(ann)).toEqual([])
    }
  },
)

test('a link that is revoked at one node is dead at the other', async () => {
  const id = await addVideo(ann)
  const link = await answerOf<{ id: number; url: string }>(a, {
    as: ann,
    name: 'shareLink.create',
    input: { videoId: id },
  })
  const token = new URL(link.url, a).pathname.split('/').pop()
  expect(await statusOf(b, 'shareLink.open', { token })).toBe(200)
  await succeed(a, 'shareLink.revoke', { id: link.id }, ann)
  expect(await statusOf(b, 'shareLink.open', { token })).toBe(404)
})

test('a setting that is changed at one node is in force at the other', async () => {
  for (let round = 0; round < (isLongForm ? 20 : 5); round++) {
    const name = `Clutch ${round}`
    await answerOf(b, { name: 'site.settings' })
    await succeed(a, 'site.edit', { name }, ada)
    expect(await answerOf(b, { name: 'site.settings' })).toMatchObject({ name })
  }
  await succeed(a, 'site.edit', { registration: 'closed' }, ada)
  await expect(register(b, 'late')).rejects.toThrow('403')
  await succeed(a, 'site.edit', { registration: 'open' }, ada)
})

test('a comment that is written at one node rings the bell of a page that is open at the other', async () => {
  const id = await addVideo(ann)
  const events = await followNotifications(b, ann)
  const before = await events.next(10_000)
  const began = performance.now()
  await succeed(a, 'comment.create', { videoId: id, content: 'Well played' }, ada)
  expect(await events.next(10_000)).toBe(before + 1)
  console.info(`The bell rang at the other node after ${Math.round(performance.now() - began)} ms.`)
  events.close()
})

test('reactions and comments reach viewers on other nodes, and each node counts all viewers', async () => {
  const id = await addVideo(ada)
  await db.updateTable('videos').set({ duration: 60 }).where('id', '=', id).execute()
  const atA = await followVideo(a, { id, as: ada })
  const atB = await followVideo(b, { id, as: ann })
  await atA.until(({ watching }) => watching === 2, 10_000)
  await atB.until(({ watching }) => watching === 2, 10_000)
  const counts = await answerOf<unknown>(b, { name: 'watching.counts', input: { ids: [id] } })
  expect(counts).toEqual([{ id, count: 2 }])
  await succeed(a, 'reaction.react', { id, second: 3, kind: 'gg' }, ada)
  await atB.until(({ reactions = [] }) => reactions.length === 1, 10_000)
  await succeed(a, 'comment.create', { videoId: id, content: 'Ace' }, ada)
  await atB.until(({ changed = [] }) => changed.includes('comments'), 10_000)
  await succeed(a, 'video.edit', { id, visibility: 'private' }, ada)
  await atB.ended(10_000)
  await atA.until(({ watching }) => watching === 0, 10_000)
  atA.close()
})

test('an upload that goes to both nodes in turn and is completed at both at once is one whole video', async () => {
  const bytes = await makeRecording(UPLOAD_CHUNK_BYTES * 3)
  const post = (
    origin: string,
    path: string,
    sent: { body: string | Buffer; headers: Record<string, string> },
  ) => askAt(origin, { as: ann, method: 'POST', url: `/api/uploads/${path}`, ...sent })
  const json = (body: object) => ({
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  const form = (fields: Parameters<typeof multipart>[0]) => {
    const { payload: body, headers } = multipart(fields)
    return { body, headers }
  }
  const file = { fileName: 'clip.avi', fileSize: bytes.length, fileType: 'video/avi' }
  const opened = await post(a, 'initialize', json({ ...file, metadata: { title: 'Both' } }))
  const { uploadId } = JSON.parse(opened.text)
  const totalChunks = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  const sent = Array.from({ length: totalChunks }, (_, chunkIndex) => {
    const start = chunkIndex * UPLOAD_CHUNK_BYTES
    const chunk = bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)
    return post(chunkIndex % 2 ? b : a, 'chunk', form({ uploadId, chunkIndex, totalChunks, chunk }))
  })
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]))
  const pictured = await post(b, 'thumbnail', form({ uploadId, thumbnail: makePng(320, 180) }))
  const { thumbnailUrl } = JSON.parse(pictured.text)
  const body = json({ uploadId, thumbnailUrl })
  const answers = await Promise.all([a, b].map((origin) => post(origin, 'complete', body)))
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, answers[0]?.text],
    [200, answers[0]?.text],
  ])
  const { videoId } = JSON.parse(answers[0]?.text ?? '')
  const videos = await db.selectFrom('videos').select('id').where('title', '=', 'Both').execute()
  expect(videos).toEqual([{ id: videoId }])
  expect(await countStored(bytes)).toBe(1)
  const pictures = [a, b].map(async (origin) => {
    const video = await answerOf<Video>(origin, {
      as: ann,
      name: 'video.get',
      input: { id: videoId },
    })
    return (await askAt(origin, { as: ann, url: `${video.thumbnailUrl}` })).text
  })
  const [one = '', other] = await Promise.all(pictures)
  expect(one.length).toBeGreaterThan(100)
  expect(other).toBe(one)
})

/** A recording of more than `bytes` that is to be prepared, and so stays as it came until somebody does. */
async function makeRecording(bytes: number): Promise<Buffer> {
  const path = join(site.folder, 'recording.avi')
  await makeClip({ path, seconds: 1, container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' })
  const padding = randomBytes(bytes)
  const head = Buffer.from('JUNK....')
  head.writeUInt32LE(padding.length, 4)
  return Buffer.concat([await readFile(path), head, padding])
}

/** How many objects of the store are this, byte by byte. */
async function countStored(bytes: Buffer): Promise<number> {
  const names = await readdir(site.store.directory, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  const contents = await Promise.all(
    files.map((file) => readFile(join(file.parentPath, file.name))),
  )
  return contents.filter((content) => content.equals(bytes)).length
}

test('a name that is registered at both nodes at once is one account', async () => {
  for (let round = 0; round < (isLongForm ? 5 : 2); round++) {
    const input = (mail: string) => ({
      username: `twin${round}`,
      email: `${mail}${round}@example.org`,
      displayName: 'Twin',
      password: 'correct horse',
    })
    const answers = await Promise.all(
      [a, b].map((origin, at) => ask(origin, { name: 'auth.register', input: input(`twin${at}`) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

longTest('the limit of an address is one, whichever node it asks, and however many', async () => {
  const guess = (origin: string) =>
    askAt(origin, {
      method: 'POST',
      url: '/api/login',
      body: JSON.stringify({ username: 'ann', password: 'wrong one' }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
    })
  const answers = await Promise.all(
    Array.from({ length: 12 * SCALE }, (_, at) => guess(at % 2 ? a : b)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(10 * SCALE)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 * SCALE)
})
