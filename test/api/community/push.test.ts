import { beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { PUSH_BROWSERS_MAX } from '#shared/push.ts'
import type { PushState } from '#shared/schemas/push.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { readVapid, setUpPushService, type TestBrowser } from '#test/support/push-service.ts'
import { changeRows, listRows } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const ORIGIN = 'https://clips.example.org'
const LONG_AGO = '2020-01-01T00:00:00.000Z'
const ATTEMPTS = 5

const site = setUpTestSite({
  publicUrl: ORIGIN,
  localHosts: ['127.0.0.1', 'nas.lan'],
  pushServices: ['127.0.0.1'],
})
const admin = setUpAdmin(site)
const service = setUpPushService()
const { ask, refusal, statusOf } = callsOf(site)

let round = 0
let ann: TestMember
let bob: TestMember
let phone: TestBrowser

beforeEach(async () => {
  service.clear()
  await site.db.deleteFrom('pushSubscriptions').execute()
  round++
  ann = await site.addMember(`ann${round}`)
  bob = await site.addMember(`bob${round}`)
  phone = await subscribe(ann)
})

async function subscribe(as: TestMember): Promise<TestBrowser> {
  const browser = service.makeBrowser()
  await ask<PushState>(as, 'push.subscribe', browser.subscription)
  return browser
}
const browsersOf = async (as: TestMember) => (await ask<PushState>(as, 'push.state')).browsers
const deliver = () => site.deps.push.deliver()
const makeDue = () => site.db.updateTable('pushes').set({ nextAt: LONG_AGO }).execute()
const comment = (videoId: number, content = 'Nice', as = bob) =>
  ask<{ id: number }>(as, 'comment.create', { videoId, content })
const messages = () => service.messagesOf(phone)
const titles = () => messages().map(({ title }) => title)
const waiting = () => listRows(site.db, 'pushes', {})

describe('a message', () => {
  test('arrives encrypted for the browser and signed by the site, with a title, a place and the number of the bell', async () => {
    const video = await site.addVideo(ann, { title: 'Ace' })
    const { id } = await comment(video)
    await deliver()
    const [notification] = await listRows(site.db, 'notifications', { userId: ann.id })
    expect(messages()).toEqual([
      {
        ...{ title: 'New comment on "Ace"', body: `${bob.username}: Nice` },
        ...{ link: `/video/${video}#comment-${id}`, unread: 1, id: notification?.id },
        tag: expect.stringMatching(`^comments v${video} `),
      },
    ])
    const [sent] = service.received
    if (!sent) throw new Error('Nothing was sent.')
    const { claims, publicKey } = readVapid(sent)
    expect(claims).toMatchObject({ aud: service.origin, sub: ORIGIN })
    expect(claims.exp * 1000).toBeGreaterThan(Date.now())
    expect(claims.exp * 1000).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000)
    expect(publicKey).toBe((await ask<{ publicKey: string }>(ann, 'push.prepare')).publicKey)
    expect(sent.headers).toMatchObject({
      ...{ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' },
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(await waiting()).toEqual([])
    const [browser] = await browsersOf(ann)
    expect(browser?.sentAt).not.toBeNull()
  })

  test('tells of a group in one line, and of several things as a number', async () => {
    const [video, other] = [
      await site.addVideo(ann, { title: 'Ace' }),
      await site.addVideo(ann, { title: 'Ninja' }),
    ]
    await comment(video)
    await comment(video, 'Again', admin)
    await deliver()
    await comment(video)
    await comment(other)
    await deliver()
    expect(messages()).toMatchObject([
      { title: `${admin.username} and ${bob.username} commented on "Ace"`, unread: 2 },
      { title: '2 new notifications', link: '/notifications', unread: 4 },
    ])
  })

  test('is not sent for what was read, deleted or hidden meanwhile', async () => {
    const video = await site.addVideo(bob, { title: 'Secret' })
    const { id } = await comment(video, 'Hello', ann)
    const answer = () =>
      ask<{ id: number }>(bob, 'comment.create', { videoId: video, content: 'Yes', parentId: id })
    await answer()
    await ask(ann, 'notification.markAllRead', {})
    await deliver()
    const second = await answer()
    await ask(bob, 'comment.delete', { id: second.id })
    await deliver()
    await answer()
    await ask(bob, 'video.edit', { id: video, visibility: 'private' })
    await deliver()
    expect([titles(), await waiting()]).toEqual([[], []])
  })

  test('follows the choice for its kind', async () => {
    const video = await site.addVideo(ann)
    const inBell = () => listRows(site.db, 'notifications', { userId: ann.id })
    await ask(ann, 'notification.choose', { kind: 'comments', place: 'bell' })
    await comment(video)
    await deliver()
    expect([titles(), (await inBell()).length]).toEqual([[], 1])
    await ask(ann, 'notification.choose', { kind: 'comments', place: 'none' })
    await comment(video)
    await deliver()
    expect([titles(), (await inBell()).length]).toEqual([[], 1])
    const chosen = await ask(ann, 'notification.choose', { kind: 'comments', place: 'push' })
    expect(chosen).toMatchObject({ places: { comments: 'push', likes: 'push' } })
    await comment(video)
    await deliver()
    expect(titles()).toHaveLength(1)
  })

  test('of a channel comes to each subscriber, and each of their browsers', async () => {
    await ask(ann, 'subscription.create', { channelId: bob.id })
    const laptop = await openSession(ann)
    const other = await subscribe(laptop)
    const video = await site.addVideo(bob, { title: 'Raid', visibility: 'private' })
    await ask(bob, 'video.edit', { id: video, visibility: 'public' })
    await deliver()
    const expected = [{ title: `New video from ${bob.username}`, link: `/video/${video}` }]
    expect([messages(), service.messagesOf(other)]).toMatchObject([expected, expected])
  })

  test('waits until quiet hours are over', async () => {
    const now = new Date()
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
    const hours = {
      ...{ fromMinute: (minute + 1439) % 1440, toMinute: (minute + 90) % 1440 },
      timeZone: 'UTC',
    }
    expect(await ask(ann, 'push.chooseQuietHours', { hours })).toMatchObject({ quietHours: hours })
    const video = await site.addVideo(ann)
    await comment(video)
    await deliver()
    const [push] = await waiting()
    expect(titles()).toEqual([])
    const minutes = (Date.parse(push?.nextAt ?? '') - now.getTime()) / 60_000
    expect(minutes).toBeGreaterThan(88)
    expect(minutes).toBeLessThan(91)
    await ask(ann, 'push.chooseQuietHours', { hours: null })
    await makeDue()
    await deliver()
    expect(titles()).toHaveLength(1)
    const wrong = { hours: { ...hours, timeZone: 'Nowhere/City' } }
    expect(await statusOf(ann, 'push.chooseQuietHours', wrong)).toBe(400)
  })
})

/** Another device of the member. */
async function openSession(member: TestMember): Promise<TestMember> {
  const twin = await site.addMember(`${member.username}x${service.received.length}`)
  const where = { userId: twin.id }
  await changeRows(site.db, 'sessions', { where, values: { userId: member.id } })
  return { ...member, cookie: twin.cookie }
}

describe('a push service', () => {
  test('that fails is asked again after pauses, and given up in the end', async () => {
    service.answerWith(503)
    await comment(await site.addVideo(ann))
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await deliver()
      await makeDue()
    }
    await deliver()
    expect(service.received).toHaveLength(ATTEMPTS)
    expect(await waiting()).toEqual([])
    expect(await browsersOf(ann)).toHaveLength(1)
  })

  test('that recovers gets one message about all that waited', async () => {
    const video = await site.addVideo(ann, { title: 'Ace' })
    service.answerWith(503)
    await comment(video)
    await deliver()
    service.clear()
    await comment(video, 'Me too', admin)
    await makeDue()
    await deliver()
    expect(titles()).toEqual([`${admin.username} and ${bob.username} commented on "Ace"`])
  })

  test.each([404, 410])('that answers %i ends the subscription', async (status) => {
    service.answerWith(status)
    await comment(await site.addVideo(ann))
    await deliver()
    expect([await browsersOf(ann), await waiting()]).toEqual([[], []])
  })

  test('is one of those of browsers, or listed as a push service, not only as a host on the local network', async () => {
    const { keys } = phone.subscription
    const tried = (endpoint: string) => refusal(ann, 'push.subscribe', { endpoint, keys })
    for (const host of ['push.example', 'nas.lan', 'fcm.googleapis.com.evil.example', '10.0.0.1']) {
      expect(await tried(`https://${host}/send/1`)).toMatch(`push service ${host}`)
    }
    expect(await tried('http://fcm.googleapis.com/send/1')).toMatch('does not know')
    await ask(ann, 'push.subscribe', { endpoint: 'https://fcm.googleapis.com/fcm/send/1', keys })
  })

  test('that is not known any more gets nothing', async () => {
    const values = { endpoint: service.origin.replace('127.0.0.1', 'localhost') }
    await ask(admin, 'site.edit', { localHosts: ['localhost'] })
    await changeRows(site.db, 'pushSubscriptions', { where: { userId: ann.id }, values })
    await comment(await site.addVideo(ann))
    await deliver()
    expect([service.received, await browsersOf(ann)]).toEqual([[], []])
  })
})

describe('a subscription ends', () => {
  test('with its session, however that ends', async () => {
    await site.post('/api/logout', { as: ann })
    expect(await listRows(site.db, 'pushSubscriptions', { userId: ann.id })).toEqual([])
    await subscribe(bob)
    const ban = { userId: bob.id, reason: 'Spam', deletesContent: false }
    await ask(admin, 'moderation.ban', ban)
    expect(await listRows(site.db, 'pushSubscriptions', { userId: bob.id })).toEqual([])
  })

  test('but not with a new token of the session', async () => {
    const where = { userId: ann.id }
    await changeRows(site.db, 'sessions', { where, values: { id: `renewed${round}` } })
    expect(await listRows(site.db, 'pushSubscriptions', where)).toMatchObject([
      { sessionId: `renewed${round}` },
    ])
  })

  test('and gets nothing once the session has expired, or the member leaves', async () => {
    const video = await site.addVideo(ann)
    const expiresAt = Math.floor(Date.now() / 1000) - 1
    await comment(video)
    await changeRows(site.db, 'sessions', { where: { userId: ann.id }, values: { expiresAt } })
    await deliver()
    expect([titles(), await waiting()]).toEqual([[], []])
  })

  test('by its member, who sees all devices, but not by others', async () => {
    const [browser] = await browsersOf(ann)
    expect(browser).toMatchObject({ isCurrent: true, sentAt: null })
    expect(await statusOf(bob, 'push.unsubscribe', { id: browser?.id })).toBe(404)
    expect(await ask(ann, 'push.unsubscribe', { id: browser?.id })).toMatchObject({ browsers: [] })
    expect(await statusOf(ann, 'push.unsubscribe', {})).toBe(404)
  })

  test('when another member takes over the browser', async () => {
    await ask(bob, 'push.subscribe', phone.subscription)
    expect([await browsersOf(ann), (await browsersOf(bob)).length]).toEqual([[], 1])
  })

  test(`when the member has ${PUSH_BROWSERS_MAX} newer ones`, async () => {
    for (let count = 0; count < PUSH_BROWSERS_MAX; count++) {
      await site.db
        .insertInto('sessions')
        .values({
          ...{ id: `${round}-${count}`, userId: ann.id, expiresAt: 0, rememberMe: 0 },
          ...{ userAgent: null, createdAt: timestamp() },
        })
        .execute()
      await site.db
        .insertInto('pushSubscriptions')
        .values({
          ...{ userId: ann.id, sessionId: `${round}-${count}`, createdAt: timestamp() },
          ...{ endpoint: `https://fcm.googleapis.com/${round}-${count}`, p256dh: 'a', auth: 'b' },
        })
        .execute()
    }
    await subscribe(ann)
    const browsers = await browsersOf(ann)
    expect(browsers).toHaveLength(PUSH_BROWSERS_MAX)
    expect(browsers.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  })
})

describe('keys of another form', () => {
  const point = (first: number, bytes: number) =>
    Buffer.concat([Buffer.from([first]), Buffer.alloc(bytes - 1, 7)]).toString('base64url')
  const cases = (): [string, { p256dh?: string; auth?: string }][] => [
    ['a short point', { p256dh: point(4, 64) }],
    ['a compressed point', { p256dh: point(2, 33) }],
    ['a point without its first byte', { p256dh: point(5, 65) }],
    ['a point beside the curve', { p256dh: point(4, 65) }],
    ['a short secret', { auth: Buffer.alloc(15).toString('base64url') }],
    ['a long secret', { auth: Buffer.alloc(17).toString('base64url') }],
  ]

  test.each(cases())('are refused: %s', async (_what, wrong) => {
    const { endpoint, keys } = service.makeBrowser().subscription
    const refused = await refusal(ann, 'push.subscribe', { endpoint, keys: { ...keys, ...wrong } })
    expect(refused).toMatch('400 The keys of this browser')
  })

  test('end a subscription that has them, and others get their messages', async () => {
    const values = { p256dh: point(4, 65) }
    const other = await subscribe(bob)
    await changeRows(site.db, 'pushSubscriptions', { where: { userId: ann.id }, values })
    await comment(await site.addVideo(ann))
    await comment(await site.addVideo(bob), 'Nice', ann)
    await deliver()
    expect([await browsersOf(ann), await waiting()]).toEqual([[], []])
    expect(service.messagesOf(other)).toHaveLength(1)
    await changeRows(site.db, 'pushSubscriptions', { where: { userId: bob.id }, values })
    expect(await refusal(bob, 'push.sendTest')).toMatch('422 This device no longer accepts')
  })
})

describe('a test message', () => {
  test('comes at once, and says why it did not', async () => {
    await ask(ann, 'push.sendTest')
    expect(messages()).toMatchObject([{ title: 'It works', tag: 'test' }])
    service.answerWith(403)
    expect(await refusal(ann, 'push.sendTest')).toMatch('did not take the message')
    service.answerWith(410)
    expect(await refusal(ann, 'push.sendTest')).toMatch('no longer accepts')
    expect(await statusOf(ann, 'push.sendTest')).toBe(404)
  })
})
