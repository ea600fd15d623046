import { beforeEach, describe, expect, test } from 'vitest'
import type { Page } from '#shared/field.schemas.ts'
import { groupNotifications, titleOf } from '#shared/group-notifications.ts'
import type { NotificationKind } from '#shared/notification-kinds.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann, bob, carl, dora } = setUpMembers(site, ['ann', 'bob', 'carl', 'dora'])
const { ask, statusOf } = callsOf(site)
let video: number

beforeEach(async () => {
  video = await site.addVideo(ann, { title: 'Ace' })
})

type Options = { filter?: string; limit?: number; cursor?: string | null }
const browse = (member: TestMember, options: Options = {}) =>
  ask<Page<Notification>>(member, 'notification.browse', options)
const inbox = async (member: TestMember, filter = 'all') => (await browse(member, { filter })).items
const say = (member: TestMember, content: string, more: object = {}) =>
  ask<Comment>(member, 'comment.create', { videoId: video, content, ...more })
const like = (member: TestMember) => ask(member, 'like.set', { videoId: video, isLike: true })
const subscribe = (member: TestMember, channel: TestMember) =>
  ask(member, 'subscription.create', { channelId: channel.id })
const mute = (member: TestMember, kind: NotificationKind, isMuted = true) =>
  ask(member, 'notification.choose', { kind, place: isMuted ? 'none' : 'push' })
const groups = (items: Notification[]) => new Set(items.map(({ group }) => group?.key))

describe('groups of notifications', () => {
  test('many of one group leave room for others on a page, and are counted as a whole', async () => {
    const other = await site.addVideo(ann, { title: 'Raid' })
    await ask(dora, 'comment.create', { videoId: other, content: 'Earlier' })
    for (let index = 0; index < 12; index += 1) await say(index % 2 ? bob : carl, `Number ${index}`)
    const { items } = await browse(ann, { limit: 6 })
    expect(items.map(({ group }) => group?.text)).toEqual([
      ...Array.from({ length: 5 }, () => 'commented on "Ace"'),
      'commented on "Raid"',
    ])
    expect(items[0]?.group).toMatchObject({ size: 12, unread: 12, people: 2 })
    expect((await browse(ann, { filter: 'unread', limit: 6 })).items).toHaveLength(6)
    await ask(ann, 'notification.markGroupRead', { id: items[0]?.id })
    expect((await browse(ann, { filter: 'unread' })).items).toHaveLength(1)
    expect((await browse(ann)).items[0]?.group).toMatchObject({ size: 12, unread: 0 })
  })

  test('combine the notifications of one day about the same video and of the same kind', async () => {
    await say(bob, 'First')
    await say(carl, 'Second')
    await like(bob)
    const other = await site.addVideo(ann, { title: 'Raid' })
    await ask(dora, 'comment.create', { videoId: other, content: 'Third' })
    const comments = await inbox(ann, 'comments')
    expect(comments.map(({ group }) => group?.text)).toEqual([
      'commented on "Raid"',
      'commented on "Ace"',
      'commented on "Ace"',
    ])
    expect(groups(comments).size).toBe(2)
    expect(await inbox(ann, 'likes')).toMatchObject([{ group: { text: 'liked "Ace"', people: 1 } }])
    await like(carl)
    expect(await inbox(ann, 'likes')).toMatchObject([{ group: { people: 2 } }])
  })

  test('keep replies apart from mentions, and name comments on posts as such', async () => {
    const { id } = await say(bob, 'Who?')
    await say(carl, 'Me', { parentId: id })
    await say(dora, 'And me', { parentId: id })
    await say(dora, `@${bob.username} look`)
    const texts = (await inbox(bob)).map(({ group }) => group?.text)
    expect(texts).toEqual(['mentioned you', 'replied to you', 'replied to you'])
    expect(groups(await inbox(bob)).size).toBe(2)
    const { id: postId } = await ask<{ id: number }>(ann, 'post.create', { content: 'At nine' })
    await ask(bob, 'comment.create', { postId, content: 'Fine' })
    expect((await inbox(ann))[0]?.group).toMatchObject({ text: 'commented on your post' })
  })

  test('combine the posts of a channel, and keep those of another apart', async () => {
    for (const channel of [ann, bob]) await subscribe(dora, channel)
    for (const content of ['At nine', 'At ten']) await ask(ann, 'post.create', { content })
    await ask(bob, 'post.create', { content: 'Not today' })
    const told = await inbox(dora, 'subscriptions')
    expect(told.map(({ group, message }) => [message, group?.text, group?.size])).toEqual([
      ['Not today', 'posted', 1],
      ['At ten', 'posted', 2],
      ['At nine', 'posted', 2],
    ])
    expect(groups(told).size).toBe(2)
    expect(groupNotifications(told).map(titleOf)).toEqual([
      `New post from ${bob.username}`,
      `${ann.username} posted 2 times`,
    ])
  })

  test('combine new subscribers, but not decisions of admins', async () => {
    await subscribe(bob, ann)
    await subscribe(carl, ann)
    const told = await inbox(ann, 'subscriptions')
    expect(groups(told).size).toBe(1)
    expect(told.map(({ group }) => group?.text)).toEqual([
      'subscribed to your channel',
      'subscribed to your channel',
    ])
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    await ask(boss, 'moderation.warn', { userId: ann.id, reason: 'Be kind' })
    expect(await inbox(ann)).toMatchObject([{ group: null }, {}, {}])
  })

  test('are read and deleted as a whole, except for notifications that came later', async () => {
    const { id } = await say(bob, 'First')
    const [first] = await inbox(ann)
    const { group } = first as Notification
    const old = {
      ...{ userId: ann.id, type: 'video_comment' as const, title: 'New comment', message: 'A' },
      ...{ sourceUserId: carl.id, videoId: video, commentId: id },
      ...{ groupKey: group?.key ?? '', groupText: group?.text ?? '' },
      createdAt: '2026-01-01T00:00:00.000Z',
    }
    await addRows(
      site.db,
      'notifications',
      Array.from({ length: 450 }, () => old),
    )
    const seen = await site.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.max<number>('id').as('id'))
      .executeTakeFirstOrThrow()
    await say(dora, 'Later')
    await like(bob)
    expect(await ask(ann, 'notification.markGroupRead', { id: seen.id })).toEqual({ updated: 451 })
    expect((await inbox(ann, 'unread')).map(({ message }) => message)).toEqual([
      `${bob.username} liked "Ace"`,
      `${dora.username}: Later`,
    ])
    expect(await ask(ann, 'notification.deleteGroup', { id: seen.id })).toEqual({ deleted: 451 })
    expect(await inbox(ann)).toHaveLength(2)
    expect(await statusOf(ann, 'notification.deleteGroup', { id: seen.id })).toBe(404)
  })

  test('cannot be read or deleted by another member', async () => {
    await say(bob, 'First')
    const [first] = await inbox(ann)
    for (const act of ['markGroupRead', 'deleteGroup']) {
      expect(await statusOf(bob, `notification.${act}`, { id: first?.id })).toBe(404)
      expect(await statusOf(ann, `notification.${act}`, { id: 0 })).toBe(400)
    }
    expect(await inbox(ann, 'unread')).toHaveLength(1)
  })
})

describe('the page of notifications', () => {
  test('lists for each filter what it names, in pages without gaps', async () => {
    await say(bob, 'One')
    await like(bob)
    await subscribe(bob, ann)
    await say(carl, 'Two')
    for (const content of ['Three', 'Four', 'Five']) {
      const { id } = await say(ann, content)
      await say(dora, `On ${content}`, { parentId: id })
    }
    for (const filter of ['all', 'unread', 'comments', 'likes', 'subscriptions', 'videos']) {
      const whole = (await browse(ann, { filter })).items.map(({ id }) => id)
      const paged: number[] = []
      let cursor: string | null = null
      do {
        const page: Page<Notification> = await browse(ann, { filter, limit: 2, cursor })
        paged.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor)
      expect([filter, paged]).toEqual([filter, whole])
    }
    const sizes = { all: 7, unread: 7, comments: 5, likes: 1, subscriptions: 1, videos: 0 }
    for (const [filter, size] of Object.entries(sizes)) {
      expect([filter, (await inbox(ann, filter)).length]).toEqual([filter, size])
    }
  })

  test('refuses an unknown filter, an invalid cursor and visitors', async () => {
    expect(await statusOf(ann, 'notification.browse', { filter: 'gossip' })).toBe(400)
    expect(await statusOf(ann, 'notification.browse', { cursor: 'x' })).toBe(400)
    expect(await statusOf(undefined, 'notification.browse', {})).toBe(401)
  })
})

describe('turning off a kind of notification', () => {
  test('stops comments, replies, likes and subscribers, until it is turned on again', async () => {
    const { id } = await say(ann, 'Who?')
    for (const kind of ['comments', 'replies', 'likes', 'subscribers'] as const) {
      await mute(ann, kind)
    }
    expect(await ask(ann, 'notification.choices', undefined)).toEqual({
      places: {
        ...{ comments: 'none', replies: 'none', likes: 'none', subscribers: 'none' },
        ...{ videos: 'push', posts: 'push', shares: 'push', squads: 'push' },
      },
    })
    await say(bob, 'First')
    await say(bob, 'Me', { parentId: id })
    await say(bob, `@${ann.username} you`, { parentId: id })
    await like(bob)
    await subscribe(bob, ann)
    expect(await inbox(ann)).toEqual([])
    await mute(ann, 'comments', false)
    await mute(ann, 'comments', false)
    await say(carl, 'Again')
    expect(await inbox(ann)).toMatchObject([{ message: `${carl.username}: Again` }])
  })

  test('stops new videos and posts, but not for other followers, and not mentions', async () => {
    await subscribe(bob, ann)
    await subscribe(carl, ann)
    await mute(bob, 'videos')
    await mute(bob, 'posts')
    const { id } = await ask<{ id: number }>(ann, 'post.create', { content: 'At nine' })
    expect([await inbox(bob), (await inbox(carl)).length]).toEqual([[], 1])
    const told = `We need @${bob.username}`
    await ask(ann, 'post.create', { content: told })
    expect(await inbox(bob)).toMatchObject([{ type: 'comment_reply', message: told }])
    expect(id).toBeGreaterThan(0)
  })

  test('stops shared private videos and videos that name the member', async () => {
    await mute(bob, 'shares')
    const secret = await site.addVideo(ann, { visibility: 'private' })
    const usernames = [bob.username, carl.username]
    await ask(ann, 'video.setNamedMembers', { id: secret, usernames })
    await ask(ann, 'participant.add', { videoId: video, userId: bob.id })
    expect([(await inbox(bob)).length, (await inbox(carl)).length]).toEqual([0, 1])
  })

  test('does not stop decisions of admins, and an unknown kind is refused', async () => {
    for (const kind of ['comments', 'videos', 'shares'] as const) await mute(ann, kind)
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    await ask(boss, 'moderation.warn', { userId: ann.id, reason: 'Be kind' })
    expect(await inbox(ann)).toHaveLength(1)
    const odd = { kind: 'decisions', place: 'none' }
    expect(await statusOf(ann, 'notification.choose', odd)).toBe(400)
  })
})
