import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import { followNotifications } from '#test/support/live-events.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann, bob } = setUpMembers(site, ['ann', 'bob'], { hasPassword: true })
const { carl, dora } = setUpMembers(site, ['carl', 'dora'])
let video: number

/** New people and a new video of ann's for every test. */
beforeEach(async () => {
  video = await site.addVideo(as(ann), { title: 'Ace' })
})

const as = (member: TestMember | undefined) => member as TestMember
const { ask } = callsOf(site)
const rate = (
  member: TestMember | undefined,
  isLike: boolean,
  target: object = { videoId: video },
) => ask(member, 'like.set', { ...target, isLike })
const clear = (member: TestMember | undefined, target: object = { videoId: video }) =>
  ask(member, 'like.clear', target)
const say = (member: TestMember | undefined, content: string, parentId?: number) =>
  ask<Comment>(member, 'comment.create', { videoId: video, content, parentId })
const comments = async (member?: TestMember) =>
  (await ask<{ items: Comment[] }>(member, 'comment.list', { id: video })).items
const subscribe = (member: TestMember | undefined, channel: TestMember | undefined) =>
  ask(member, 'subscription.create', { channelId: as(channel).id })
const unsubscribe = (member: TestMember | undefined, channel: TestMember | undefined) =>
  ask(member, 'subscription.delete', { channelId: as(channel).id })
const inbox = async (member: TestMember | undefined) =>
  (await ask<{ items: Notification[] }>(member, 'notification.list', {})).items
const texts = async (member: TestMember | undefined) =>
  (await inbox(member)).map(({ type, message }) => `${type}: ${message}`).reverse()
const name = (member: TestMember | undefined) => as(member).username

describe('a like', () => {
  test('is one per person: the same again changes nothing, the other flips it, clearing removes it', async () => {
    expect(await rate(bob, true)).toEqual({ likeCount: 1, dislikeCount: 0, myRating: 'like' })
    expect(await rate(bob, true)).toEqual({ likeCount: 1, dislikeCount: 0, myRating: 'like' })
    expect(await rate(bob, false)).toEqual({ likeCount: 0, dislikeCount: 1, myRating: 'dislike' })
    expect(await rate(carl, false)).toEqual({ likeCount: 0, dislikeCount: 2, myRating: 'dislike' })
    expect(await clear(bob)).toEqual({ likeCount: 0, dislikeCount: 1, myRating: null })
    expect(await clear(bob)).toEqual({ likeCount: 0, dislikeCount: 1, myRating: null })
  })

  test('of a video or a comment is shown to its giver alone', async () => {
    const { id } = await say(carl, 'Nice')
    await rate(bob, true)
    await rate(bob, false, { commentId: id })
    const seen = async (member?: TestMember) => [
      (await ask<{ myRating: string }>(member, 'video.get', { id: video })).myRating,
      (await comments(member))[0]?.myRating,
    ]
    expect(await seen(bob)).toEqual(['like', 'dislike'])
    expect(await seen(carl)).toEqual([null, null])
    expect(await seen()).toEqual([null, null])
  })
})

describe('comments', () => {
  test('are newest first, their replies oldest first and one level deep', async () => {
    const first = await say(bob, 'First')
    const second = await say(carl, 'Second')
    const reply = await say(ann, 'Thanks', first.id)
    const answer = await say(carl, 'Welcome', reply.id)
    expect([reply.parentId, answer.parentId]).toEqual([first.id, first.id])
    const listed = await comments()
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(listed[1]?.replies?.map(({ content }) => content)).toEqual([
      'Thanks',
      `@${name(ann)} Welcome`,
    ])
  })

  test('come with the best liked first where that is asked for, those with as many by age, in pages', async () => {
    const row = { videoId: video, userId: carl?.id ?? null, createdAt: '2026-01-01T00:00:00.000Z' }
    const scores = [0, 3, -2, 0, 3, 0]
    const rows = scores.map((score, at) => ({
      ...{ ...row, content: `${at}`, likeCount: Math.max(score, 0) + 1 },
      dislikeCount: Math.max(-score, 0) + 1,
    }))
    await site.db.insertInto('comments').values(rows).execute()
    const top = await say(bob, 'Loved')
    for (const member of [ann, bob, carl, dora]) await rate(member, true, { commentId: top.id })
    const reply = await say(carl, 'Me too', top.id)
    await rate(bob, true, { commentId: reply.id })
    type Page = { items: Comment[]; nextCursor: string | null }
    const read = (input: object) => ask<Page>(bob, 'comment.list', { id: video, ...input })
    const best: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await read({ sort: 'best', limit: 2, cursor })
      best.push(...page.items.map(({ content }) => content))
      cursor = page.nextCursor
    } while (cursor)
    expect(best).toEqual(['Loved', '4', '1', '5', '3', '0', '2'])
    expect((await comments()).map(({ content }) => content)).toEqual(
      (await read({ sort: 'newest' })).items.map(({ content }) => content),
    )

    const url = `/api/videos/${video}/comments?limit=1`
    const rest = await site.get(`${url}&sort=best`)
    expect(JSON.parse(rest.body)).toMatchObject([{ content: 'Loved', replies: [{ id: reply.id }] }])
    const next = /<([^>]*)>/.exec(String(rest.headers.link))?.[1] ?? ''
    expect(JSON.parse((await site.get(next)).body)).toMatchObject([{ content: '4' }])
    const newest = (await read({ limit: 1 })).nextCursor
    const forged = ['x', 0.5].map((key) => Buffer.from(JSON.stringify(['best', key, 1])))
    for (const one of [newest, ...forged.map((text) => text.toString('base64url'))]) {
      const refused = await site.get(`${url}&sort=best&cursor=${one}`)
      expect([refused.statusCode, refused.body]).toEqual([
        400,
        'The cursor is not one this site gave.',
      ])
    }
    const unknown = await site.get(`${url}&sort=oldest`)
    expect(unknown.statusCode).toBe(400)
  })

  test('are counted with their replies, as far as one can come to them', async () => {
    const count = (member?: TestMember, clipId?: number) =>
      ask<number>(member, 'comment.count', { id: video, clipId })
    expect(await count()).toBe(0)
    const first = await say(bob, 'First')
    await say(carl, 'Second', first.id)
    await say(carl, 'Third')
    await site.db.updateTable('videos').set({ duration: 9 }).where('id', '=', video).execute()
    const { id: clipId } = await ask<{ id: number }>(ann, 'clip.create', {
      ...{ videoId: video, title: 'The shot', startSeconds: 0, endSeconds: 2 },
    })
    await ask(bob, 'comment.create', { videoId: video, clipId, content: 'Of the clip' })
    expect([await count(), await count(bob), await count(bob, clipId)]).toEqual([3, 3, 1])
    const withhold = (id: number, withheld: 'held' | 'hidden') =>
      site.db.updateTable('comments').set({ withheld }).where('id', '=', id).execute()
    await withhold(first.id, 'held')
    // Its author has it, with the reply to it; to others both are out of reach.
    expect([await count(), await count(bob), await count(carl)]).toEqual([1, 3, 1])
    await withhold(first.id, 'hidden')
    expect([await count(), await count(bob)]).toEqual([1, 1])
    await changeRows(site.db, 'users', { where: { id: dora?.id ?? 0 }, values: { isAdmin: 1 } })
    expect(await count(dora)).toBe(3)
    await ask(carl, 'comment.delete', { id: (await comments())[0]?.id })
    expect(await count()).toBe(0)
  })

  test('newer than a known comment are listed, including visible replies to older comments', async () => {
    const { id: old } = await say(bob, 'Old')
    const { id: hidden } = await say(bob, 'Gone')
    const { id: known } = await say(carl, 'Known')
    const late = await say(carl, 'A late reply', old)
    await say(carl, 'A reply to what is gone', hidden)
    const top = await say(bob, 'New')
    await changeRows(site.db, 'comments', {
      where: { id: hidden },
      values: { withheld: 'hidden' },
    })
    const newest = await ask<Comment[]>(undefined, 'comment.newSince', { id: video, after: known })
    expect(newest.map(({ id }) => id)).toEqual([top.id, late.id])
    expect(newest[1]?.parentId).toBe(old)
    const other = await site.addVideo(as(ann), { title: 'Other' })
    expect(await ask(undefined, 'comment.newSince', { id: other, after: 0 })).toEqual([])
  })

  test('come with 50 replies, and the rest of them in pages', async () => {
    const top = await say(bob, 'First')
    const other = await say(bob, 'Second')
    const row = { videoId: video, userId: carl?.id ?? null, parentId: top.id }
    const rows = Array.from({ length: 120 }, (_, at) => ({
      ...row,
      content: String(at),
      createdAt: `2026-01-01T00:00:00.${String(at).padStart(3, '0')}Z`,
      withheld: at === 60 ? ('hidden' as const) : null,
    }))
    await site.db.insertInto('comments').values(rows).execute()
    const listed = (await comments()).find(({ id }) => id === top.id)
    const seen = rows.filter(({ withheld }) => !withheld).map(({ content }) => content)
    expect(listed?.replies?.map(({ content }) => content)).toEqual(seen.slice(0, 50))
    expect(listed?.replyCount).toBe(119)
    const found: string[] = []
    let cursor = listed?.nextReplyCursor
    while (cursor) {
      const page: { items: Comment[]; nextCursor: string | null } = await ask(
        undefined,
        'comment.replies',
        { id: top.id, limit: 40, cursor },
      )
      found.push(...page.items.map(({ content }) => content))
      cursor = page.nextCursor
    }
    expect(found).toEqual(seen.slice(50))
    const idOf = (content: string) =>
      site.db
        .selectFrom('comments')
        .select('id')
        .where('parentId', '=', top.id)
        .where('content', '=', content)
    const { id: late } = await idOf('110').executeTakeFirstOrThrow()
    const thread = await ask<Comment>(undefined, 'comment.thread', { id: late })
    expect(thread).toMatchObject({
      id: top.id,
      replyCount: 119,
      nextReplyCursor: listed?.nextReplyCursor,
    })
    expect(thread.replies?.map(({ content }) => content)).toEqual([...seen.slice(0, 50), '110'])
    const { id: early } = await idOf('3').executeTakeFirstOrThrow()
    expect((await ask<Comment>(undefined, 'comment.thread', { id: early })).replies).toHaveLength(
      50,
    )
    const { id: hidden } = await idOf('60').executeTakeFirstOrThrow()
    const refused = await callProcedure(site, { name: 'comment.thread', input: { id: hidden } })
    expect(refused.statusCode).toBe(404)
    expect((await comments()).find(({ id }) => id === other.id)).toMatchObject({
      replies: [],
      replyCount: 0,
      nextReplyCursor: null,
    })
  })

  test('come with fewer replies each when a page would have more than 1,000', async () => {
    const tops = []
    for (let at = 0; at < 21; at++) tops.push(await say(bob, `Top ${at}`))
    const rows = tops.flatMap(({ id }) =>
      Array.from({ length: 50 }, () => ({
        videoId: video,
        userId: carl?.id ?? null,
        parentId: id,
        content: 'Me too',
        createdAt: '2026-01-01T00:00:00.000Z',
      })),
    )
    await site.db.insertInto('comments').values(rows).execute()
    for (const comment of await comments()) {
      expect(comment.replies).toHaveLength(10)
      expect(comment.replyCount).toBe(50)
      expect(comment.nextReplyCursor).not.toBeNull()
    }
  })

  test('a reply to a reply begins with a mention of the person, and of nobody whose name begins alike', async () => {
    const top = await say(bob, 'First')
    const reply = await say(ann, 'Thanks', top.id)
    const namesake = await site.addMember(`${name(ann)}a`)
    const mention = `@${name(ann)}`
    for (const [given, stored] of [
      ['Sure', `${mention} Sure`],
      [`${mention} sure`, `${mention} sure`],
      [`${mention.toUpperCase()}, sure`, `${mention.toUpperCase()}, sure`],
      [`${mention}. Sure`, `${mention}. Sure`],
      [`@${name(namesake)} look`, `${mention} @${name(namesake)} look`],
    ] as const) {
      expect((await say(carl, given, reply.id)).content).toBe(stored)
    }
    expect((await say(carl, 'To the top', top.id)).content).toBe('To the top')
  })

  test('a reply that its mention would make too long is refused, and one that just fits is stored', async () => {
    const top = await say(bob, 'First')
    const reply = await say(ann, 'Thanks', top.id)
    const room = 5000 - `@${name(ann)} `.length
    const answer = (content: string) =>
      callProcedure(site, {
        as: carl,
        name: 'comment.create',
        input: { videoId: video, parentId: reply.id, content },
      })
    const refused = await answer('x'.repeat(room + 1))
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(`An answer to @${name(ann)} has at most ${room} characters.`)
    const sent = await say(carl, 'x'.repeat(room), reply.id)
    const edited = await ask<Comment>(carl, 'comment.edit', { id: sent.id, content: sent.content })
    expect(edited.content).toBe(sent.content)
  })

  test('are edited by their author, and deleted by author, video owner and admins', async () => {
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    const { id } = await say(bob, 'Firts')
    const edited = await ask<Comment>(bob, 'comment.edit', { id, content: 'First' })
    expect(edited).toMatchObject({ content: 'First', editedAt: expect.any(String) })
    for (const member of [ann, carl, boss]) {
      const input = { id, content: 'Mine' }
      expect(
        (await callProcedure(site, { as: member, name: 'comment.edit', input })).statusCode,
      ).toBe(403)
    }
    const input = { id }
    expect(
      (await callProcedure(site, { as: carl, name: 'comment.delete', input })).statusCode,
    ).toBe(403)
    for (const member of [bob, ann, boss]) {
      const own = await say(bob, 'Again')
      await say(carl, 'Reply', own.id)
      await ask(member, 'comment.delete', { id: own.id })
    }
    expect((await comments()).map((comment) => comment.id)).toEqual([id])
  })

  test('of a deleted account stay, as nobody’s, with their replies', async () => {
    const top = await say(bob, 'I was here')
    await say(carl, 'So you were', top.id)
    await rate(bob, true, { commentId: top.id })
    await ask(bob, 'settings.deleteAccount', { password: PASSWORD })
    expect(await comments()).toMatchObject([
      {
        content: 'I was here',
        userId: null,
        user: null,
        likeCount: 0,
        replies: [{ content: 'So you were' }],
      },
    ])
    expect((await say(carl, 'Still here?', top.id)).parentId).toBe(top.id)
  })
})

describe('subscriptions', () => {
  test('count, show the caller’s own state, and cannot be to oneself', async () => {
    await subscribe(bob, ann)
    await subscribe(bob, ann)
    const channel = (member?: TestMember) => ask<object>(member, 'user.get', { id: as(ann).id })
    expect(await channel(bob)).toMatchObject({ subscriberCount: 1, isSubscribed: true })
    expect(await channel(carl)).toMatchObject({ subscriberCount: 1, isSubscribed: false })
    expect(await channel()).not.toHaveProperty('isSubscribed')
    await unsubscribe(bob, ann)
    expect(await channel(bob)).toMatchObject({ subscriberCount: 0, isSubscribed: false })
    const self = { channelId: as(ann).id }
    const answer = await callProcedure(site, { as: ann, name: 'subscription.create', input: self })
    expect(answer.statusCode).toBe(400)
  })
})

describe('notifications tell', () => {
  test('the owner of a new top comment, and of no reply', async () => {
    const top = await say(bob, 'What a\n shot')
    await say(carl, 'Yes', top.id)
    expect(await texts(ann)).toEqual([`video_comment: ${name(bob)}: What a shot`])
    expect((await inbox(ann))[0]).toMatchObject({
      title: 'New comment on "Ace"',
      videoId: video,
      commentId: top.id,
      read: false,
      sourceUserId: as(bob).id,
      sourceUser: { id: as(bob).id, displayName: name(bob) },
    })
  })

  test('the author answered and whoever is mentioned, once each', async () => {
    const top = await say(bob, 'First')
    await say(carl, `@${name(dora)} @${name(bob)} @${name(dora)} @nobody-here look`, top.id)
    expect((await inbox(bob)).map(({ type, title }) => [type, title])).toEqual([
      ['comment_reply', `${name(carl)} replied to your comment`],
    ])
    expect((await inbox(dora)).map(({ type, title }) => [type, title])).toEqual([
      ['comment_reply', `${name(carl)} mentioned you`],
    ])
    await say(dora, `To @${name(ann).toUpperCase()}.`)
    expect((await texts(ann)).map((text) => text.split(':')[0])).toEqual([
      'video_comment',
      'video_comment',
    ])
  })

  test('the one whose whole name is mentioned, also when it ends in a dash or dot', async () => {
    const dashed = await site.addMember(`dora${ann.id}_`)
    await say(carl, `@${name(dashed)} hello`)
    expect(await inbox(dashed)).toHaveLength(1)
    expect(await inbox(dora)).toEqual([])
    await say(carl, `hello @${name(dora)}...`)
    expect(await inbox(dora)).toHaveLength(1)
    await say(carl, `mail me at carl@${name(dora)}.org or carl_@${name(dora)}.org`)
    expect(await inbox(dora)).toHaveLength(1)
    for (const text of [`.@${name(dora)}`, `_@${name(dora)}.`, `(@${name(dora)})`]) {
      await say(carl, text)
    }
    expect(await inbox(dora)).toHaveLength(4)
    await say(carl, `_@${name(bob)}_`)
    expect((await inbox(bob)).map(({ title }) => title)).toContain(`${name(carl)} mentioned you`)
  })

  test('nobody who is mentioned on a video that they cannot see', async () => {
    const hidden = await site.addVideo(as(ann), { contentApproved: 0 })
    const content = `@${name(dora)} look`
    await ask(ann, 'comment.create', { videoId: hidden, content })
    expect(await inbox(dora)).toEqual([])
  })

  test('a channel of a new subscriber, once, however often they come back', async () => {
    for (let time = 0; time < 3; time++) {
      await subscribe(bob, ann)
      await unsubscribe(bob, ann)
    }
    expect(await texts(ann)).toEqual([`new_subscriber: ${name(bob)} subscribed to your channel`])
  })

  test('nobody of their own acts', async () => {
    const top = await say(ann, `Mine @${name(ann)}`)
    await say(ann, `Mine too @${name(ann)}`, top.id)
    await rate(ann, true)
    await rate(ann, true, { commentId: top.id })
    expect(await inbox(ann)).toEqual([])
  })

  test('the owner of likes: several within an hour as one, without the owner’s own', async () => {
    await rate(ann, true)
    await rate(bob, true)
    expect(await texts(ann)).toEqual([`like: ${name(bob)} liked "Ace"`])
    const [first] = await inbox(ann)
    await ask(ann, 'notification.markRead', { id: first?.id })
    await rate(carl, true)
    await rate(dora, true)
    expect(await texts(ann)).toEqual(['like: 3 people liked "Ace"'])
    expect((await inbox(ann))[0]).toMatchObject({ read: false, sourceUserId: as(dora).id })
  })

  test('of the others’ likes still, when the last to like it deletes the account or is banned', async () => {
    await rate(carl, true)
    await rate(bob, true)
    await ask(bob, 'settings.deleteAccount', { password: PASSWORD })
    const nameless = { sourceUserId: null, sourceUser: null }
    expect(await inbox(ann)).toMatchObject([{ message: '2 people liked "Ace"', ...nameless }])
    await rate(dora, true)
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    await ask(boss, 'moderation.ban', { userId: as(dora).id, reason: 'A test' })
    expect(await inbox(ann)).toMatchObject([{ message: '3 people liked "Ace"', ...nameless }])
    await ask(boss, 'moderation.unban', { userId: as(dora).id })
    expect(await inbox(ann)).toMatchObject([{ sourceUser: { id: as(dora).id } }])
  })

  test('of likes again after an hour', async () => {
    await rate(bob, true)
    const createdAt = new Date(Date.now() - 3_601_000).toISOString()
    await changeRows(site.db, 'notifications', { where: { videoId: video }, values: { createdAt } })
    await rate(carl, true)
    expect(await texts(ann)).toEqual([
      `like: ${name(bob)} liked "Ace"`,
      `like: ${name(carl)} liked "Ace"`,
    ])
  })

  test('of no dislike, no flip and no second like', async () => {
    await rate(carl, false)
    expect(await inbox(ann)).toEqual([])
    for (let time = 0; time < 3; time++) {
      await rate(bob, true)
      await rate(bob, false)
      await clear(bob)
    }
    await rate(bob, true)
    expect(await texts(ann)).toEqual([`like: ${name(bob)} liked "Ace"`])
  })

  test('subscribers of a video when everybody can see it, and take it back when it turns anonymous', async () => {
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    await subscribe(bob, ann)
    const id = await site.addVideo(as(ann), { title: 'New one', contentApproved: 0 })
    expect(await inbox(bob)).toEqual([])
    await ask(boss, 'moderation.approve', { id })
    await ask(boss, 'moderation.reject', { id, reason: 'On second thought' })
    await ask(boss, 'moderation.approve', { id })
    expect(await texts(bob)).toEqual(['upload: New one'])
    expect((await inbox(bob))[0]?.title).toBe(`New video from ${name(ann)}`)
    expect(await inbox(carl)).toEqual([])
    await ask(ann, 'video.edit', { id, isAnonymous: true })
    expect(await inbox(bob)).toEqual([])
    expect((await texts(ann)).filter((text) => text.startsWith('upload'))).toHaveLength(3)
  })

  test('and go with the video', async () => {
    await say(bob, 'First')
    await rate(carl, true)
    await ask(ann, 'video.delete', { id: video })
    expect(await inbox(ann)).toEqual([])
  })
})

describe('an edited comment', () => {
  const edit = (id: number, content: string) => ask(bob, 'comment.edit', { id, content })
  const mentions = async (member: TestMember | undefined) =>
    (await inbox(member)).filter(({ title }) => title.endsWith('mentioned you')).length

  test('notifies whoever is mentioned in it for the first time, once', async () => {
    const { id } = await say(bob, `@${name(carl)} look`)
    await edit(id, `@${name(carl)} @${name(dora)} @${name(bob)} look`)
    expect(await texts(dora)).toEqual([
      `comment_reply: @${name(carl)} @${name(dora)} @${name(bob)} look`,
    ])
    await edit(id, 'look')
    await edit(id, `@${name(dora)} @${name(carl)} look again`)
    expect([await mentions(carl), await mentions(dora), await mentions(bob)]).toEqual([1, 1, 0])
  })

  test('notifies the video’s owner no second time of the same comment', async () => {
    const { id } = await say(bob, 'look')
    await edit(id, `@${name(ann)} look`)
    expect(await texts(ann)).toEqual([`video_comment: ${name(bob)}: look`])
  })

  test('notifies nobody of a video that they cannot see', async () => {
    const pending = await site.addVideo(as(bob), { contentApproved: 0 })
    const comment = { videoId: pending, content: 'look' }
    const { id } = await ask<Comment>(bob, 'comment.create', comment)
    await edit(id, `@${name(dora)} look`)
    expect(await inbox(dora)).toEqual([])
  })
})

describe('where the video is no longer to be seen', () => {
  const show = (contentApproved: 0 | 1) =>
    site.db.updateTable('videos').set({ contentApproved }).where('id', '=', video).execute()
  const statusOf = async (member: TestMember | undefined, call: string, input: object) =>
    (await callProcedure(site, { as: member, name: call, input })).statusCode

  test('one can take back one’s own comment, and to others it does not exist', async () => {
    const { id } = await say(bob, 'Nice')
    await show(0)
    expect(await statusOf(carl, 'comment.delete', { id })).toBe(404)
    expect(await statusOf(bob, 'comment.edit', { id, content: 'Nicer' })).toBe(404)
    expect(await statusOf(bob, 'comment.delete', { id })).toBe(200)
    expect(await statusOf(bob, 'comment.delete', { id })).toBe(404)
  })

  test('notifications about it are away with it, and come back with it', async () => {
    const comment = await say(bob, 'First')
    await say(carl, 'Second', comment.id)
    await subscribe(carl, bob)
    const [about] = (await inbox(bob)).filter(({ videoId }) => videoId === video)
    expect(await inbox(bob)).toHaveLength(2)
    await show(0)
    expect(await texts(bob)).toEqual([`new_subscriber: ${name(carl)} subscribed to your channel`])
    expect(await statusOf(bob, 'notification.markRead', { id: about?.id })).toBe(404)
    expect(await inbox(ann)).toHaveLength(1)
    await show(1)
    expect(await inbox(bob)).toHaveLength(2)
    expect((await inbox(bob)).filter(({ read }) => read)).toEqual([])
  })
})

describe('the live bell', () => {
  let origin: string
  beforeAll(async () => {
    origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
  })

  test('says the number of unread at once, and each change within a second', async () => {
    const bell = await followNotifications(origin, as(ann))
    expect([bell.status, await bell.next()]).toEqual([200, 0])
    await say(bob, 'First')
    expect(await bell.next()).toBe(1)
    await rate(carl, true)
    expect(await bell.next()).toBe(2)
    await ask(ann, 'notification.markAllRead', {})
    expect(await bell.next()).toBe(0)
    bell.close()
  })

  test('goes quiet when its session is ended elsewhere', async () => {
    const bell = await followNotifications(origin, as(ann))
    expect(await bell.next()).toBe(0)
    await site.db.deleteFrom('sessions').where('userId', '=', as(ann).id).execute()
    await say(bob, 'First')
    await expect(bell.next()).rejects.toThrow('The server ended the stream.')
  })

  test('rings on ten pages of a member; the eleventh ends the first', async () => {
    const bells: Awaited<ReturnType<typeof followNotifications>>[] = []
    for (let page = 0; page < 11; page++) {
      const bell = await followNotifications(origin, as(ann))
      expect(await bell.next()).toBe(0)
      bells.push(bell)
    }
    await expect(bells[0]?.next()).rejects.toThrow('The server ended the stream.')
    const other = await followNotifications(origin, as(carl))
    expect(await other.next()).toBe(0)
    await say(bob, 'First')
    for (const bell of bells.slice(1)) expect(await bell.next()).toBe(1)
    for (const bell of [...bells, other]) bell.close()
  })

  test('loses nothing of what happened between two connections', async () => {
    const bell = await followNotifications(origin, as(ann))
    expect(await bell.next()).toBe(0)
    bell.close()
    await say(bob, 'First')
    await subscribe(carl, ann)
    const again = await followNotifications(origin, as(ann))
    expect(await again.next()).toBe(2)
    await say(bob, 'Second')
    expect(await again.next()).toBe(3)
    again.close()
  })

  test('rings for subscribers, and goes quiet when the video turns anonymous', async () => {
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    await subscribe(bob, ann)
    const bell = await followNotifications(origin, as(bob))
    const stranger = await followNotifications(origin, as(carl))
    expect([await bell.next(), await stranger.next()]).toEqual([0, 0])
    const id = await site.addVideo(as(ann), { contentApproved: 0 })
    await ask(boss, 'moderation.approve', { id })
    expect(await bell.next()).toBe(1)
    await ask(ann, 'video.edit', { id, isAnonymous: true })
    expect(await bell.next()).toBe(0)
    await expect(stranger.next(300)).rejects.toThrow()
    bell.close()
  })
})
