import { beforeEach, describe, expect, test } from 'vitest'
import type { Notification, Participant } from '#shared/schemas/community.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { bob } = setUpMembers(site, ['bob'], { hasPassword: true })
const { ann, cleo } = setUpMembers(site, ['ann', 'cleo'])
let video: number

beforeEach(async () => {
  video = await site.addVideo(ann, { title: 'The ace' })
})

const { ask, call } = callsOf(site)
const add = (member: TestMember, videoId = video) =>
  ask(ann, 'participant.add', { videoId, userId: member.id })
const remove = (as: TestMember, member: TestMember) =>
  ask(as, 'participant.remove', { videoId: video, userId: member.id })
const named = async (as?: TestMember, id = video) =>
  (await ask<Participant[]>(as, 'participant.list', { id })).map(({ username }) => username)
const appearances = async (member: TestMember, as?: TestMember) =>
  (await ask<{ items: Video[] }>(as, 'participant.appearances', { id: member.id })).items
const inbox = async (as: TestMember) =>
  (await ask<{ items: Notification[] }>(as, 'notification.list', {})).items

describe('a member whom a video names', () => {
  test('is notified once, and the video is listed on their channel', async () => {
    await add(bob)
    await add(bob)
    expect(await named()).toEqual([bob.username])
    expect(await appearances(bob)).toMatchObject([{ id: video, channel: { id: ann.id } }])
    const notification = {
      title: `${ann.username} says you played along in "The ace"`,
      videoId: video,
      sourceUser: { id: ann.id },
    }
    expect(await inbox(bob)).toMatchObject([notification])

    await remove(ann, bob)
    expect(await named()).toEqual([])
    expect(await appearances(bob)).toEqual([])
    expect(await inbox(bob)).toEqual([])
    await add(bob)
    expect(await named()).toEqual([bob.username])
    expect(await inbox(bob)).toEqual([])
  })

  test('takes their name off, and cannot be named there again', async () => {
    await add(bob)
    await add(cleo)
    expect(await named()).toEqual([bob.username, cleo.username])
    const input = { videoId: video, userId: bob.id }
    expect((await call(cleo, 'participant.remove', input)).statusCode).toBe(403)
    await remove(bob, bob)
    expect(await named()).toEqual([cleo.username])
    expect((await call(bob, 'participant.remove', input)).statusCode).toBe(404)
    const again = await call(ann, 'participant.add', input)
    expectRefused(again, 409, `@${bob.username} took their name off this video.`)
  })

  test('does not appear in what the viewer may not see', async () => {
    const pending = await site.addVideo(ann, { contentApproved: 0 })
    await add(bob, pending)
    const ids = async (as?: TestMember) => (await appearances(bob, as)).map(({ id }) => id)
    for (const as of [undefined, bob, cleo]) expect(await ids(as)).toEqual([])
    expect(await ids(ann)).toEqual([pending])
    expect(await inbox(bob)).toEqual([])
    expect((await call(bob, 'participant.list', { id: pending })).statusCode).toBe(404)
    await ask(admin, 'moderation.approve', { id: pending })
    expect(await ids(bob)).toEqual([pending])
    expect(await inbox(bob)).toMatchObject([{ videoId: pending }])
    await ask(admin, 'moderation.hideVideo', { id: pending, reason: 'Not ours' })
    expect(await ids(cleo)).toEqual([])
    await ask(ann, 'video.delete', { id: pending })
    expect(await ids(admin)).toEqual([])
  })

  test('is not shown while banned, nor named', async () => {
    await add(bob)
    await ask(admin, 'moderation.ban', { userId: bob.id, reason: 'Rude' })
    expect(await named()).toEqual([])
    expect((await call(ann, 'participant.appearances', { id: bob.id })).statusCode).toBe(404)
    const other = await site.addVideo(ann)
    const naming = await call(ann, 'participant.add', { videoId: other, userId: bob.id })
    expect(naming.statusCode).toBe(404)
    await ask(admin, 'moderation.unban', { userId: bob.id })
    expect(await named()).toEqual([bob.username])
  })

  test('leaves every video with their account', async () => {
    await add(bob)
    await add(bob, await site.addVideo(ann))
    await ask(bob, 'settings.deleteAccount', { password: PASSWORD })
    const rows = () =>
      site.db.selectFrom('participants').select('videoId').where('userId', '=', bob.id).execute()
    await expect.poll(rows).toEqual([])
    expect(await named()).toEqual([])
  })
})

describe('an anonymous video', () => {
  test('does not tell those it names whose it is', async () => {
    const anonymous = await site.addVideo(ann, { title: 'Quiet', isAnonymous: 1 })
    await add(bob, anonymous)
    const notification = { title: 'It is said that you played along in "Quiet"', sourceUser: null }
    expect(await inbox(bob)).toMatchObject([notification])
    expect(await appearances(bob, cleo)).toMatchObject([{ userId: null, channel: null }])
  })

  test('takes its owner’s name out of what was sent before', async () => {
    await add(bob)
    await ask(bob, 'subscription.create', { channelId: ann.id })
    await ask(ann, 'video.edit', { id: video, isAnonymous: true })
    expect(await inbox(bob)).toMatchObject([
      { title: 'It is said that you played along in "The ace"', sourceUser: null },
    ])
    expect(JSON.stringify(await inbox(bob))).not.toContain(ann.username)
    expect(JSON.stringify(await appearances(bob, bob))).not.toContain(ann.username)
  })
})

describe('an owner', () => {
  test('names up to ten others, not themselves', async () => {
    const own = await call(ann, 'participant.add', { videoId: video, userId: ann.id })
    expectRefused(own, 400, 'Name others: the video is yours already.')
    const members: TestMember[] = []
    for (let index = 0; index < 11; index++) {
      members.push(await site.addMember(`m${ann.id}-${index}`))
    }
    const [last, ...ten] = members
    for (const member of ten) await add(member)
    const eleventh = await call(ann, 'participant.add', { videoId: video, userId: last?.id })
    expectRefused(eleventh, 409, 'A video names at most 10 members.')
    expect(await named()).toHaveLength(10)
  })

  test('cannot notify ever more members by naming and taking off', async () => {
    const rows = []
    for (let index = 0; index < 50; index++) {
      const { id } = await site.addMember(`n${ann.id}-${index}`)
      rows.push({ videoId: video, userId: id, state: 'removed' as const })
    }
    await site.db.insertInto('participants').values(rows).execute()
    const naming = await call(ann, 'participant.add', { videoId: video, userId: bob.id })
    expect(naming.statusCode).toBe(409)
    expect(await inbox(bob)).toEqual([])
  })
})

test('appearances page newest first', async () => {
  const ids: number[] = []
  for (const day of ['01', '02', '03']) {
    const id = await site.addVideo(ann, { publishedAt: `2025-01-${day}T00:00:00.000Z` })
    await add(bob, id)
    ids.unshift(id)
  }
  type Page = { items: Video[]; nextCursor: string | null }
  const read = (cursor: string | null) =>
    ask<Page>(undefined, 'participant.appearances', { id: bob.id, limit: 2, cursor })
  const first = await read(null)
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const second = await read(first.nextCursor)
  expect(second.items.map(({ id }) => id)).toEqual(ids.slice(2))
  expect(second.nextCursor).toBe(null)
})

describe('a member whom the owner of a private video names', () => {
  const share = (usernames: string[], as = ann) =>
    ask<Participant[]>(as, 'video.setNamedMembers', { id: video, usernames })
  const statusFor = async (as: TestMember) =>
    (await call(as, 'video.get', { id: video })).statusCode
  beforeEach(() => ask(ann, 'video.edit', { id: video, visibility: 'private' }))

  test('sees it, is notified of it, and neither any more once the name is off', async () => {
    expect(await statusFor(bob)).toBe(404)
    expect(await share([bob.username.toUpperCase()])).toMatchObject([{ id: bob.id }])
    expect(await statusFor(bob)).toBe(200)
    expect(await statusFor(cleo)).toBe(404)
    const notification = {
      title: `${ann.username} shared a private video with you`,
      message: 'The ace',
      videoId: video,
    }
    expect(await inbox(bob)).toMatchObject([notification])
    await ask(ann, 'video.edit', { id: video, visibility: 'private', title: 'Ace' })
    expect(await share([cleo.username, bob.username])).toHaveLength(2)
    expect(await inbox(bob)).toHaveLength(1)
    await share([cleo.username])
    expect([await statusFor(bob), await statusFor(cleo)]).toEqual([404, 200])
    expect(await inbox(bob)).toEqual([])
    expect(await ask(ann, 'video.namedMembers', { id: video })).toMatchObject([{ id: cleo.id }])
  })

  test('is not told who the owner of an anonymous one is', async () => {
    await ask(ann, 'video.edit', { id: video, isAnonymous: true })
    await share([bob.username])
    const title = 'Somebody shared a private video with you'
    expect(await inbox(bob)).toMatchObject([{ title, sourceUser: null }])
  })

  test('exists, and is another member', async () => {
    const refused = (usernames: string[]) =>
      call(ann, 'video.setNamedMembers', { id: video, usernames })
    expectRefused(
      await refused(['nobody', bob.username, 'noone']),
      400,
      'There is nobody here with the name @nobody, @noone.',
    )
    expectRefused(await refused([ann.username]), 400, 'Name others: it is yours already.')
    expect(await statusFor(bob)).toBe(404)
    const many = Array.from({ length: 51 }, (_, number) => `name${number}`)
    expect((await refused(many)).statusCode).toBe(400)
  })

  test('sees a private playlist, and only while the owner names them', async () => {
    const { id } = await ask<{ id: number }>(ann, 'playlist.create', { title: 'Best of' })
    const statusOfList = async () => (await call(bob, 'playlist.get', { id })).statusCode
    expect(await statusOfList()).toBe(404)
    await ask(ann, 'playlist.setNamedMembers', { id, usernames: [bob.username] })
    expect(await ask(ann, 'playlist.namedMembers', { id })).toMatchObject([{ id: bob.id }])
    expect(await statusOfList()).toBe(200)
    await ask(ann, 'playlist.setNamedMembers', { id, usernames: [] })
    expect(await statusOfList()).toBe(404)
  })
})
