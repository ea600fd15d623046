import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { deleteEmptyRooms } from '#server/community/watch-room/watch-room.service.ts'
import { replaceHost } from '#server/community/watch-room/watch-room-roles.service.ts'
import type { RoomChange } from '#server/community/watch-room/watch-room-stream.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { positionAt, ROOM_PEOPLE_MAX, type RoomPlayback } from '#shared/watch-rooms.ts'
import { followEvents } from '#test/support/event-stream.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite()
const { host, ann, bob } = setUpMembers(site, ['host', 'ann', 'bob'])
const { ask, refusal } = callsOf(site)
const NOT_STEERING = '403 Only the host and those whom the host lets may steer this room.'
let origin: string

beforeAll(async () => {
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(site.app.server.address() as AddressInfo).port}`
})

async function enter(token: string, as?: TestMember, userAgent?: string) {
  const events = await followEvents<RoomChange>(origin, {
    ...{ name: 'live.onRoom', input: { token }, as },
    ...(userAgent && { userAgent }),
  })
  onTestFinished(() => events.close())
  const first = await events.until(({ playback }) => playback !== undefined)
  return { ...events, first }
}

const open = async (videoId: number) =>
  (await ask<{ token: string }>(host, 'watchRoom.create', { videoId })).token
const read = (token: string, as: TestMember | undefined = host) =>
  ask<WatchRoom>(as, 'watchRoom.get', { token })
const clock = () => ask<number>(undefined, 'watchRoom.clock')

async function play(token: string, as: TestMember, change: Partial<RoomPlayback> = {}) {
  const { playback } = await read(token)
  const { itemId, position, rate } = playback
  const at = await clock()
  return ask<RoomPlayback>(as, 'watchRoom.control', {
    ...{ token, itemId, position, rate, at, isPaused: false },
    ...change,
  })
}

const rolesOf = ({ people = [] }: RoomChange) =>
  people.map(({ username, role }) => `${username.replace(/\d+$/, '')} ${role}`)

test('a room of a video, clip or playlist has them as its queue', async () => {
  const one = await site.addVideo(host, { duration: 60 })
  const two = await site.addVideo(host)
  const clip = await ask<{ id: number }>(host, 'clip.create', {
    ...{ videoId: one, title: 'Ace', startSeconds: 1, endSeconds: 5 },
  })
  const list = await ask<{ id: number }>(host, 'playlist.create', { title: 'Raids' })
  for (const videoId of [two, one]) {
    await ask(host, 'playlist.addVideo', { playlistId: list.id, videoId })
  }
  const queueOf = async (input: object) => {
    const { token } = await ask<{ token: string }>(host, 'watchRoom.create', input)
    expect(token).toMatch(/^[\w-]{22}$/)
    const room = await read(token)
    expect(room.myRole).toBe('host')
    expect(room.playback).toMatchObject({ itemId: room.items[0]?.id, isPaused: true, rate: 1 })
    return room.items.map(({ video, clip }) => [video?.id, clip?.id])
  }
  expect(await queueOf({ videoId: one })).toEqual([[one, undefined]])
  expect(await queueOf({ clipId: clip.id })).toEqual([[one, clip.id]])
  expect(await queueOf({ playlistId: list.id })).toEqual([
    [two, undefined],
    [one, undefined],
  ])
})

test('what the host does is what everybody in the room sees, at the time when it was done', async () => {
  const token = await open(await site.addVideo(host, { duration: 600 }))
  const page = await enter(token, ann)
  const before = page.first.playback?.version ?? 0
  const at = (await clock()) - 300
  const told = await play(token, host, { position: 12.5, at })
  expect(told).toEqual({ ...told, position: 12.5, isPaused: false, at: Math.round(at) })
  expect(told.version).toBeGreaterThan(before)
  const seen = await page.until(({ playback }) => playback?.version === told.version)
  expect(seen.playback).toEqual(told)
  expect(positionAt(told, told.at + 2000)).toBe(14.5)
  // Neither the past nor the future can be chosen.
  const now = await clock()
  expect((await play(token, host, { at: now - 60_000 })).at).toBeGreaterThanOrEqual(now)
  expect((await play(token, host, { at: now + 60_000 })).at).toBeLessThan(now + 30_000)
  expect((await play(token, host, { position: 1e5 })).position).toBe(600)
})

test('only those steer whom the host lets', async () => {
  const token = await open(await site.addVideo(host, { duration: 600 }))
  const other = await site.addVideo(host, { title: 'Another' })
  const page = await enter(token, host)
  await enter(token, ann)
  await page.until((change) => rolesOf(change).includes('ann watches'))
  const { items } = await read(token)
  const itemId = items[0]?.id ?? 0
  for (const [name, input] of [
    ['control', { itemId, position: 1, rate: 1, isPaused: true, at: 0 }],
    ['choose', { itemId }],
    ['addItem', { videoId: other }],
    ['removeItem', { itemId }],
  ] as const) {
    expect(await refusal(ann, `watchRoom.${name}`, { token, ...input })).toBe(NOT_STEERING)
  }
  const forHost = '403 Only the host of this room can do this.'
  const role = { token, userId: ann.id, role: 'steers' }
  expect(await refusal(ann, 'watchRoom.setRole', role)).toBe(forHost)
  expect(await refusal(ann, 'watchRoom.edit', { token, allowsGuests: true })).toBe(forHost)
  expect(await refusal(ann, 'watchRoom.end', { token })).toBe(forHost)

  await ask(host, 'watchRoom.setRole', role)
  await page.until((change) => rolesOf(change).includes('ann steers'))
  expect((await play(token, ann, { position: 3 })).position).toBe(3)
  await ask(ann, 'watchRoom.addItem', { token, videoId: other })
  const added = (await read(token)).items[1]?.id ?? 0
  await ask(ann, 'watchRoom.choose', { token, itemId: added })
  expect((await read(token)).playback).toMatchObject({ itemId: added, position: 0 })
  // A command for what played before is not one for what plays now.
  const late = { token, itemId, position: 1, rate: 1, isPaused: true, at: 0 }
  expect(await refusal(ann, 'watchRoom.control', late)).toBe(
    '409 The room plays something else now.',
  )
  await ask(ann, 'watchRoom.removeItem', { token, itemId: added })
  expect((await read(token)).playback).toMatchObject({ itemId, isPaused: true })
  await ask(host, 'watchRoom.setRole', { ...role, role: 'watches' })
  expect(await refusal(ann, 'watchRoom.choose', { token, itemId })).toBe(NOT_STEERING)
  const toBob = { token, userId: bob.id, role: 'host' }
  expect(await refusal(host, 'watchRoom.setRole', toBob)).toBe(
    '404 This member is not in the room.',
  )
})

test('a host who leaves, stays away or is banned is followed by another member', async () => {
  const token = await open(await site.addVideo(host))
  const hostPage = await enter(token, host)
  await enter(token, ann)
  const page = await enter(token, bob)
  await ask(host, 'watchRoom.setRole', { token, userId: bob.id, role: 'steers' })
  await page.until((change) => rolesOf(change).includes('bob steers'))
  await ask(host, 'watchRoom.leave', { token })
  hostPage.close()
  await page.until((change) => rolesOf(change).join() === 'bob host,ann watches', 3000)

  const { id } = await site.db
    .selectFrom('watchRooms')
    .select('id')
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  expect(await replaceHost(site.db, id)).toBe(false)
  const admin = await site.addMember('judge', { isAdmin: true })
  await ask(admin, 'moderation.ban', { userId: bob.id, reason: 'Cheats' })
  expect(await replaceHost(site.db, id)).toBe(true)
  expect((await read(token, ann)).myRole).toBe('host')
  await site.db
    .updateTable('watchRoomMembers')
    .set({ seenAt: '2020-01-01T00:00:00.000Z' })
    .where('userId', '=', ann.id)
    .execute()
  // Nobody else is there.
  expect(await replaceHost(site.db, id)).toBe(false)
})

test('guests come in only if the host allows it, and see only what visitors may watch', async () => {
  const token = await open(await site.addVideo(host, { title: 'Open to all' }))
  const secret = await site.addVideo(host, { title: 'Members alone', visibility: 'members' })
  await ask(host, 'watchRoom.addItem', { token, videoId: secret })
  const refused = '401 The host lets only members into this room. Please sign in.'
  expect(await refusal(undefined, 'watchRoom.get', { token })).toBe(refused)
  await expect(enter(token)).rejects.toThrow('401')

  await ask(host, 'watchRoom.edit', { token, allowsGuests: true })
  const page = await enter(token, host)
  const guest = await enter(token)
  expect((await page.until(({ guests }) => guests === 1)).people).toHaveLength(1)
  const asGuest = await ask<WatchRoom>(undefined, 'watchRoom.get', { token })
  expect(asGuest.items).toHaveLength(2)
  expect(asGuest.items.map(({ video }) => video?.title)).toEqual(['Open to all', undefined])
  expect(JSON.stringify(asGuest)).not.toMatch(/Members alone/)
  await ask(host, 'watchRoom.edit', { token, allowsGuests: false })
  await guest.ended()
})

test('whom the host removes is out at once, and in again when the host allows it', async () => {
  const token = await open(await site.addVideo(host))
  const hosts = await enter(token, host)
  const anns = await enter(token, ann)
  const removal = (isRemoved: boolean) => ({ token, userId: ann.id, isRemoved })
  expect(await refusal(ann, 'watchRoom.removePerson', removal(true))).toMatch(/^403/)
  await ask(host, 'watchRoom.removePerson', removal(true))
  await anns.ended()
  await hosts.until((change) => rolesOf(change).join() === 'host host')
  const out = '403 The host has removed you from this room.'
  expect(await refusal(ann, 'watchRoom.get', { token })).toBe(out)
  expect(await refusal(ann, 'watchRoom.say', { token, content: 'Hey' })).toBe(out)
  expect((await read(token)).removed.map(({ id }) => id)).toEqual([ann.id])
  expect((await read(token, bob)).removed).toEqual([])
  await ask(host, 'watchRoom.removePerson', removal(false))
  expect((await read(token, ann)).myRole).toBe('watches')
  const self = { token, userId: host.id, isRemoved: true }
  expect(await refusal(host, 'watchRoom.removePerson', self)).toMatch(/^400 You are the host/)
  const absent = { token, userId: bob.id, isRemoved: true }
  expect(await refusal(host, 'watchRoom.removePerson', absent)).toMatch(/^404/)
})

test('the queue is put in another order while it plays', async () => {
  const videoIds = [await site.addVideo(host), await site.addVideo(host), await site.addVideo(host)]
  const token = await open(videoIds[0] as number)
  for (const videoId of videoIds.slice(1)) await ask(host, 'watchRoom.addItem', { token, videoId })
  const { items, playback } = await read(token)
  const [one, two, three] = items.map(({ id }) => id)
  await ask(host, 'watchRoom.moveItem', { token, itemId: three, toIndex: 0 })
  const after = await read(token)
  expect(after.items.map(({ id }) => id)).toEqual([three, one, two])
  expect(after.playback).toEqual(playback)
  await ask(host, 'watchRoom.moveItem', { token, itemId: three, toIndex: 50 })
  expect((await read(token)).items.map(({ id }) => id)).toEqual([one, two, three])
  const gone = { token, itemId: 123_456, toIndex: 0 }
  expect(await refusal(host, 'watchRoom.moveItem', gone)).toMatch(/^404 This is no longer/)
})

test('a full room takes back somebody who is in it, and nobody else', async () => {
  const token = await open(await site.addVideo(host))
  const events = await enter(token, ann)
  const { id: roomId } = await readRow(site.db, 'watchRooms', { token })
  const at = timestamp()
  // With the host and ann the room is full.
  const guests = Array.from({ length: ROOM_PEOPLE_MAX - 2 }, (_, index) => ({
    ...{ roomId, guestKey: `guest ${index}`, role: 'watches' as const },
    ...{ isHere: 1 as const, seenAt: at, joinedAt: at },
  }))
  await site.db.insertInto('watchRoomMembers').values(guests).execute()
  expect((await enter(token, ann)).first.people).not.toHaveLength(0)
  const refused = await fetch(
    `${origin}/trpc/live.onRoom?input=${encodeURIComponent(JSON.stringify({ token }))}`,
    { headers: { cookie: bob.cookie, accept: 'text/event-stream' } },
  )
  expect(await refused.text()).toContain('This room is full.')
  events.close()
})

test('who may not watch an item learns nothing of it, and it ends when it becomes private', async () => {
  const videoId = await site.addVideo(host, { title: 'Our tactics' })
  const token = await open(videoId)
  const page = await enter(token, ann)
  expect((await read(token, ann)).items[0]?.video?.title).toBe('Our tactics')
  await page.until(({ people }) => people !== undefined)
  await ask(host, 'video.edit', { id: videoId, visibility: 'private' })
  await page.until(({ changed = [] }) => changed.includes('queue'), 3000)
  const room = await read(token, ann)
  expect(room.items).toEqual([
    { id: room.playback.itemId, video: null, clip: null, squadView: null },
  ])
  expect((await read(token)).items[0]?.video?.title).toBe('Our tactics')
  expect(await refusal(ann, 'watchRoom.create', { videoId })).toMatch(/^404/)
  const comment = { token, content: 'Nice', commentAt: 2 }
  expect(await refusal(ann, 'watchRoom.say', comment)).toMatch(/^404/)
})

test('the chat reaches everybody, and becomes a comment if its writer wants that', async () => {
  const videoId = await site.addVideo(host, { duration: 600 })
  const token = await open(videoId)
  expect(await refusal(bob, 'watchRoom.say', { token, content: 'Hi' })).toBe(
    '403 Open the room first.',
  )
  await enter(token, ann)
  const page = await enter(token, bob)
  await ask(ann, 'watchRoom.say', { token, content: 'Hello' })
  const { messages } = await page.until(({ messages = [] }) => messages.length > 0)
  expect(messages).toMatchObject([{ content: 'Hello', user: { id: ann.id } }])
  await ask(ann, 'watchRoom.say', { token, content: 'What a shot', commentAt: 83.4 })
  const { items } = await ask<{ items: Comment[] }>(bob, 'comment.list', { id: videoId })
  expect(items.map(({ content, userId }) => [content, userId])).toEqual([
    ['1:23 What a shot', ann.id],
  ])
  expect(await refusal(ann, 'watchRoom.say', { token, content: ' ' })).toMatch(/^400 .*empty/)
  const long = { token, content: 'x'.repeat(501) }
  expect(await refusal(ann, 'watchRoom.say', long)).toMatch(/^400 .*500/)
  for (let count = 0; count < 201; count += 1) {
    await ask(ann, 'watchRoom.say', { token, content: `${count}` })
  }
  const again = await enter(token, bob)
  const contents = again.first.messages?.map(({ content }) => content)
  expect(contents).toHaveLength(200)
  expect(contents?.at(-1)).toBe('200')
})

test('reactions and drawings reach everybody and are stored nowhere', async () => {
  const token = await open(await site.addVideo(host))
  await enter(token, ann)
  const page = await enter(token, bob)
  await ask(ann, 'watchRoom.react', { token, kind: 'gg' })
  await page.until(({ reactions }) => `${reactions}` === 'gg')
  const drawing = { id: 7, tool: 'arrow', points: [0, 0, 5000, 10_000], colour: 2 }
  await ask(ann, 'watchRoom.draw', { token, drawing })
  const { drawings } = await page.until(({ drawings = [] }) => drawings.length > 0)
  expect(drawings).toEqual([drawing])
  const points = Array.from({ length: 402 }, () => 1)
  for (const wrong of [{ points }, { points: [1, 2, 3] }, { points: [1, 2, 3, 10_001] }]) {
    const input = { token, drawing: { ...drawing, ...wrong } }
    expect(await refusal(ann, 'watchRoom.draw', input)).toMatch(/^400/)
  }
})

test('the next item follows once the current one is over, however many say so', async () => {
  const token = await open(await site.addVideo(host, { duration: 10 }))
  await ask(host, 'watchRoom.addItem', { token, videoId: await site.addVideo(host) })
  const page = await enter(token, ann)
  const [first, second] = (await read(token)).items.map(({ id }) => id)
  await play(token, host, { position: 3 })
  const say = (as: TestMember) =>
    ask<RoomPlayback>(as, 'watchRoom.finish', { token, itemId: first })
  expect((await say(ann)).itemId).toBe(first)
  await play(token, host, { position: 9.5 })
  const told = await Promise.all([say(ann), say(host), say(ann)])
  expect(told.map(({ itemId, isPaused }) => [itemId, isPaused])).toEqual(
    Array.from({ length: 3 }, () => [second, false]),
  )
  const seen = await page.until(({ playback }) => playback?.itemId === second)
  expect(seen.playback?.version).toBe(told[0]?.version)
})

test('a room ends with its chat when the host ends it, or when nobody has been in it', async () => {
  const token = await open(await site.addVideo(host))
  const page = await enter(token, ann)
  await ask(ann, 'watchRoom.say', { token, content: 'Hello' })
  await ask(host, 'watchRoom.end', { token })
  await page.ended()
  const over = '404 This room is over, or its address is not complete.'
  expect(await refusal(ann, 'watchRoom.get', { token })).toBe(over)
  const left = await open(await site.addVideo(host))
  const kept = await open(await site.addVideo(host))
  const { count } = await site.db
    .selectFrom('watchRoomMessages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', ann.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
  await site.db
    .updateTable('watchRooms')
    .set({ lastSeenAt: new Date(Date.now() - 4 * 60 * 60 * 1000).toISOString() })
    .where('token', '=', left)
    .execute()
  await deleteEmptyRooms(site.db)
  expect(await refusal(host, 'watchRoom.get', { token: left })).toBe(over)
  expect((await read(kept)).token).toBe(kept)
})
