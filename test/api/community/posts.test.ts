import { beforeEach, describe, expect, test } from 'vitest'
import { deleteTraces } from '#server/desk/account-deletion/member-traces.queries.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import type { HeldComment, Report } from '#shared/schemas/desk/moderation.schemas.ts'
import type { HeldPost, Post } from '#shared/schemas/post.schemas.ts'
import { callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann, bob } = setUpMembers(site, ['ann', 'bob'], { hasPassword: true })

const { ask, call } = callsOf(site)
const publish = (as: TestMember, content: string, videoId?: number) =>
  ask<Post>(as, 'post.create', { content, videoId })
const comment = (as: TestMember, postId: number, content: string, parentId?: number) =>
  ask<Comment>(as, 'comment.create', { postId, content, parentId })
const rate = (as: TestMember, commentId: number, isLike: boolean) =>
  call(as, 'like.set', { commentId, isLike })
const postsOf = async (channel: TestMember, as?: TestMember) =>
  (await ask<{ items: Post[] }>(as, 'post.list', { id: channel.id })).items
const commentsOn = async (postId: number, as?: TestMember) =>
  (await ask<{ items: Comment[] }>(as, 'comment.list', { postId })).items
const inbox = async (as: TestMember) =>
  (await ask<{ items: Notification[] }>(as, 'notification.list', {})).items
const held = async () => ({
  posts: (await ask<{ items: HeldPost[] }>(admin, 'moderation.heldPosts', {})).items,
  comments: (await ask<{ items: HeldComment[] }>(admin, 'moderation.heldComments', {})).items,
})

describe('a post', () => {
  test('stands on its channel with its video, and notifies subscribers', async () => {
    await ask(bob, 'subscription.create', { channelId: ann.id })
    const video = await site.addVideo(ann)
    const post = await publish(ann, ' Match tonight \n at nine ', video)
    expect(post).toMatchObject({
      content: 'Match tonight \n at nine',
      channelId: ann.id,
      commentCount: 0,
      user: { username: ann.username },
      video: { id: video },
    })
    expect(await postsOf(ann)).toMatchObject([{ id: post.id }])
    expect(await inbox(bob)).toMatchObject([
      {
        type: 'subscription',
        title: `New post from ${ann.username}`,
        message: 'Match tonight at nine',
        postId: post.id,
        postChannelId: ann.id,
      },
    ])
    await ask(ann, 'post.delete', { id: post.id })
    expect(await inbox(bob)).toEqual([])
    expect(await postsOf(ann)).toEqual([])
  })

  test('has 1 to 1,000 characters, and says so', async () => {
    expect((await publish(ann, 'x'.repeat(1000))).content).toHaveLength(1000)
    const long = await call(ann, 'post.create', { content: 'x'.repeat(1001) })
    expectRefused(long, 400, 'A post has at most 1000 characters.')
    expectRefused(await call(ann, 'post.create', { content: ' \n ' }), 400, 'The post is empty.')
    const { id } = await publish(ann, 'Short')
    const edit = await call(ann, 'post.edit', { id, content: 'x'.repeat(1001) })
    expectRefused(edit, 400, 'A post has at most 1000 characters.')
    expect(await postsOf(ann)).toMatchObject([{ content: 'Short', editedAt: null }, {}])
  })

  test('pages newest first', async () => {
    for (const text of ['one', 'two', 'three']) await publish(ann, text)
    type Page = { items: Post[]; nextCursor: string | null }
    const first = await ask<Page>(bob, 'post.list', { id: ann.id, limit: 2 })
    expect(first.items.map(({ content }) => content)).toEqual(['three', 'two'])
    const second = await ask<Page>(bob, 'post.list', {
      ...{ id: ann.id, limit: 2, cursor: first.nextCursor },
    })
    expect(second.items.map(({ content }) => content)).toEqual(['one'])
    expect(second.nextCursor).toBe(null)
  })

  test('has its comments the newest first, or the best liked', async () => {
    const { id } = await publish(ann, 'Who plays?')
    for (const text of ['one', 'two', 'three', 'four']) await comment(bob, id, text)
    const idOf = new Map((await commentsOn(id)).map((said) => [said.content, said.id]))
    expect([...idOf.keys()]).toEqual(['four', 'three', 'two', 'one'])
    await rate(ann, idOf.get('one') ?? 0, true)
    await rate(ann, idOf.get('four') ?? 0, false)
    await comment(ann, id, 'I do', idOf.get('one'))
    type Page = { items: Comment[]; nextCursor: string | null }
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await ask(bob, 'comment.list', {
        ...{ postId: id, sort: 'best', limit: 2, cursor },
      })
      found.push(...page.items.map(({ content }) => content))
      cursor = page.nextCursor
    } while (cursor)
    expect(found).toEqual(['one', 'three', 'two', 'four'])
  })

  test('shows no video of another member, none that is anonymous, and none that is not public', async () => {
    const foreign = await site.addVideo(bob)
    const anonymous = await site.addVideo(ann, { isAnonymous: 1 })
    const notOne = await call(ann, 'post.create', { content: 'Look', videoId: foreign })
    expectRefused(notOne, 400, 'A post can only show a video of its own channel.')
    const named = await call(ann, 'post.create', { content: 'Look', videoId: anonymous })
    expectRefused(named, 400, 'An anonymous video cannot be in a post: it would name you.')

    const hidden = await site.addVideo(ann, { contentApproved: 0 })
    const { id } = await publish(ann, 'Soon', hidden)
    const shownTo = async (as?: TestMember) => (await postsOf(ann, as))[0]?.video?.id
    expect(await shownTo(ann)).toBe(hidden)
    expect(await shownTo(bob)).toBe(undefined)
    await changeRows(site.db, 'videos', { where: { id: hidden }, values: { contentApproved: 1 } })
    expect(await shownTo(bob)).toBe(hidden)

    await ask(ann, 'video.edit', { id: hidden, isAnonymous: true })
    for (const as of [undefined, bob, ann, admin]) expect(await shownTo(as)).toBe(undefined)
    const row = await site.db
      .selectFrom('posts')
      .select('videoId')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ videoId: null })
  })

  test('outlives its video', async () => {
    const video = await site.addVideo(ann)
    await publish(ann, 'Look', video)
    await ask(ann, 'video.delete', { id: video })
    expect(await postsOf(ann, bob)).toMatchObject([{ content: 'Look', video: null }])
  })

  test('is rated like a video: once by each, flipped and taken back', async () => {
    const { id } = await publish(ann, 'Hello')
    const like = (wanted: string | null) => ask(bob, 'post.like', { id, like: wanted })
    expect(await like('like')).toEqual({ likeCount: 1, dislikeCount: 0, myRating: 'like' })
    expect(await like('like')).toEqual({ likeCount: 1, dislikeCount: 0, myRating: 'like' })
    expect(await like('dislike')).toEqual({ likeCount: 0, dislikeCount: 1, myRating: 'dislike' })
    expect(await postsOf(ann, bob)).toMatchObject([{ dislikeCount: 1, myRating: 'dislike' }])
    expect(await like(null)).toEqual({ likeCount: 0, dislikeCount: 0, myRating: null })
  })
})

describe('a comment on a post', () => {
  test('notifies the channel, and once those whom it mentions', async () => {
    const { id } = await publish(ann, 'Hello')
    const own = await comment(bob, id, `Nice @${ann.username} @admin`)
    expect(await commentsOn(id)).toMatchObject([
      { id: own.id, postId: id, videoId: null, parentId: null },
    ])
    expect(await postsOf(ann)).toMatchObject([{ commentCount: 1 }])
    expect(await inbox(ann)).toMatchObject([
      {
        ...{ type: 'comment', title: 'New comment on your post' },
        ...{ postChannelId: ann.id, postId: id, commentId: own.id },
      },
    ])
    expect((await inbox(admin)).filter(({ commentId }) => commentId === own.id)).toMatchObject([
      { type: 'comment_reply', title: `${bob.username} mentioned you` },
    ])
    const long = await call(bob, 'comment.create', { postId: id, content: 'x'.repeat(5001) })
    expectRefused(long, 400, 'A comment has at most 5000 characters.')
  })

  test('is found with its thread by its id alone, while all of that can be seen', async () => {
    const { id } = await publish(ann, 'Hello')
    const own = await comment(bob, id, 'Nice')
    const reply = await comment(ann, id, 'Thanks', own.id)
    expect(await ask(undefined, 'post.get', { id })).toMatchObject({ id, commentCount: 2 })
    for (const of of [own, reply]) {
      expect(await ask(undefined, 'comment.thread', { id: of.id })).toMatchObject({
        ...{ id: own.id, postId: id, replyCount: 1, replies: [{ id: reply.id }] },
      })
    }
    await ask(admin, 'moderation.hidePost', { id, reason: 'Rude' })
    const hidden = await call(bob, 'comment.thread', { id: reply.id })
    expectRefused(hidden, 404, 'There is no such post.')
    await ask(admin, 'moderation.unhidePost', { id })
    await ask(bob, 'comment.delete', { id: own.id })
    const gone = await call(bob, 'comment.thread', { id: reply.id })
    expectRefused(gone, 404, 'There is no such comment.')
  })

  test('that is changed notifies whom it mentions for the first time, once', async () => {
    const { id } = await publish(ann, 'Hello')
    const own = await comment(ann, id, 'Nice')
    const edit = (content: string) => ask(ann, 'comment.edit', { id: own.id, content })
    for (const content of [`Nice @${bob.username}`, 'Nice', `Nice again, @${bob.username}`]) {
      await edit(content)
    }
    expect((await inbox(bob)).filter(({ commentId }) => commentId === own.id)).toMatchObject([
      { title: `${ann.username} mentioned you`, message: `Nice @${bob.username}` },
    ])
  })

  test('is answered one level deep: whoever is answered is notified, and named where a reply is', async () => {
    const { id } = await publish(ann, 'Hello')
    const top = await comment(bob, id, 'Nice')
    const first = await comment(ann, id, 'Thank you', top.id)
    const second = await comment(bob, id, 'Any time', first.id)
    expect(second).toMatchObject({
      ...{ postId: id, parentId: top.id, content: `@${ann.username} Any time` },
    })
    const page = await ask<{ items: Comment[]; nextCursor: string }>(undefined, 'comment.replies', {
      ...{ id: top.id, limit: 1 },
    })
    expect(page.items).toMatchObject([{ id: first.id, parentId: top.id }])
    const cursor = page.nextCursor
    expect(await ask(bob, 'comment.replies', { id: top.id, cursor })).toMatchObject({
      ...{ items: [{ id: second.id }], nextCursor: null },
    })
    expect(await commentsOn(id)).toMatchObject([{ id: top.id, replyCount: 2 }])
    expect(await ask(undefined, 'comment.count', { postId: id })).toBe(3)
    expect(await postsOf(ann)).toMatchObject([{ commentCount: 3 }])
    expect(await inbox(bob)).toMatchObject([{ title: `${ann.username} replied to your comment` }])
    expect(await inbox(ann)).toMatchObject([
      { title: `${bob.username} replied to your comment`, message: second.content },
      { title: 'New comment on your post' },
    ])
    const long = 'x'.repeat(5000)
    expectRefused(
      await call(bob, 'comment.create', { postId: id, parentId: first.id, content: long }),
      400,
      `An answer to @${ann.username} has at most ${5000 - ann.username.length - 2} characters.`,
    )
    await ask(admin, 'moderation.hideComment', { id: top.id, reason: 'Rude' })
    expect(await inbox(bob)).toMatchObject([
      { title: 'Your comment on a post was hidden', message: 'Rude' },
    ])
    expect((await rate(ann, first.id, true)).statusCode).toBe(404)
    expect(await postsOf(ann)).toMatchObject([{ commentCount: 0 }])
    await ask(admin, 'moderation.unhideComment', { id: top.id })
    await ask(bob, 'comment.delete', { id: top.id })
    expect(await postsOf(ann)).toMatchObject([{ commentCount: 0 }])
    await ask(ann, 'post.delete', { id })
  })

  test('is deleted by its author, the channel and admins, by nobody else', async () => {
    const { id } = await publish(ann, 'Hello')
    const cleo = await site.addMember(`cleo${ann.id}`)
    const remove = async (as: TestMember) => {
      const one = await comment(bob, id, 'Nice')
      return (await call(as, 'comment.delete', { id: one.id })).statusCode
    }
    expect(await remove(cleo)).toBe(403)
    expect(await remove(bob)).toBe(200)
    expect(await remove(ann)).toBe(200)
    expect(await remove(admin)).toBe(200)
    expect(await commentsOn(id)).toHaveLength(1)
    await ask(ann, 'post.delete', { id })
    expect((await call(bob, 'comment.list', { postId: id })).statusCode).toBe(404)
  })

  test('is pinned and loved by the channel, by nobody else', async () => {
    const { id } = await publish(ann, 'Hello')
    const [first, second] = [await comment(bob, id, 'Nice'), await comment(bob, id, 'Very')]
    const pin = (as: TestMember, of: Comment) =>
      call(as, 'comment.pin', { id: of.id, isPinned: true })
    const pinned = () => ask<Comment | null>(undefined, 'comment.pinned', { postId: id })
    expect(await pinned()).toBe(null)
    for (const of of [first, second]) expect((await pin(ann, of)).statusCode).toBe(200)
    expect(await pinned()).toMatchObject({ id: second.id, isPinned: true, replies: [] })
    const sentence = 'Only the owner of the post can do this.'
    for (const as of [bob, admin]) expectRefused(await pin(as, first), 403, sentence)
    await ask(ann, 'comment.heart', { id: first.id, isHearted: true })
    expect(await commentsOn(id)).toMatchObject([{ isPinned: true }, { isHearted: true }])
  })

  test('is answered on its own post alone', async () => {
    const [one, other] = [await publish(ann, 'Hello'), await publish(ann, 'Again')]
    const { id: parentId } = await comment(bob, one.id, 'Nice')
    const video = await site.addVideo(ann)
    for (const [place, noun] of [
      [{ postId: other.id }, 'post'],
      [{ videoId: video }, 'video'],
    ] as const) {
      const astray = await call(bob, 'comment.create', { ...place, parentId, content: 'Yes' })
      expectRefused(astray, 400, `The comment to answer is on another ${noun}.`)
    }
    for (const place of [{}, { videoId: video, postId: one.id }]) {
      const refused = await call(bob, 'comment.create', { ...place, content: 'Yes' })
      expectRefused(refused, 400, 'Name either a video or a post.')
    }
  })
})

describe('a post with a word of the list', () => {
  beforeEach(async () => {
    await ask(admin, 'site.edit', { heldWords: ['gold'] })
    return () => ask(admin, 'site.edit', { heldWords: [] })
  })

  test('waits, seen by its author and admins alone, with what is said to it', async () => {
    await ask(bob, 'subscription.create', { channelId: ann.id })
    const { id, withheld } = await publish(ann, 'Buy gold')
    expect(withheld).toBe('held')
    expect(await postsOf(ann)).toEqual([])
    expect(await postsOf(ann, bob)).toEqual([])
    expect(await postsOf(ann, ann)).toMatchObject([{ id }])
    expect(await inbox(bob)).toEqual([])
    const early = await call(bob, 'comment.create', { postId: id, content: 'Nice' })
    expect(early.statusCode).toBe(404)
    const own = await comment(ann, id, 'Really')
    expect(own.withheld).toBe('held')
    expect(await held()).toMatchObject({
      posts: [{ id, channelId: ann.id }],
      comments: [{ id: own.id, videoId: null, channelId: ann.id, channelName: ann.username }],
    })
    const overview = await ask<{ heldComments: number }>(admin, 'overview.get')
    expect(overview.heldComments).toBe(2)
    await ask(admin, 'moderation.approvePost', { id })
    expect(await postsOf(ann, bob)).toMatchObject([{ id, withheld: null, commentCount: 0 }])
    expect(await inbox(bob)).toMatchObject([{ type: 'subscription' }])
    await ask(admin, 'moderation.deleteComment', { id: own.id, reason: 'An advert' })
    expect(await held()).toEqual({ posts: [], comments: [] })
  })

  test('cannot be slipped in by an edit', async () => {
    const { id } = await publish(ann, 'Hello')
    const edited = await ask<Post>(ann, 'post.edit', { id, content: 'gold' })
    expect(edited).toMatchObject({ withheld: 'held', content: 'gold' })
    expect(await postsOf(ann, bob)).toEqual([])
    await ask(ann, 'post.delete', { id })
  })
})

describe('admins', () => {
  test('find a report of a post, hide it with what was said to it, and show it again', async () => {
    const { id } = await publish(ann, 'Insults')
    const one = await comment(bob, id, 'Indeed')
    await ask(bob, 'report.create', { postId: id, reason: 'Rude words' })
    await ask(bob, 'report.create', { postId: id, reason: 'Rude words' })
    const { items } = await ask<{ items: Report[] }>(admin, 'report.list', {})
    expect(items.filter(({ postId }) => postId === id)).toMatchObject([
      {
        ...{ kind: 'post', subject: 'Insults', isGone: false, openCount: 1 },
        post: { id, content: 'Insults', isHidden: false },
        accused: { id: ann.id },
      },
    ])
    await ask(admin, 'moderation.hidePost', { id, reason: 'Rude' })
    expect(await postsOf(ann, ann)).toEqual([])
    expect((await call(bob, 'post.like', { id, like: 'like' })).statusCode).toBe(404)
    expect((await rate(bob, one.id, true)).statusCode).toBe(404)
    expect(await inbox(ann)).toMatchObject([{ title: 'Your post was hidden', message: 'Rude' }])
    const open = await ask<{ items: Report[] }>(admin, 'report.list', {})
    expect(open.items.filter(({ postId }) => postId === id)).toEqual([])
    await ask(admin, 'moderation.unhidePost', { id })
    expect(await postsOf(ann, bob)).toMatchObject([{ id, commentCount: 1 }])
  })

  test('are told where a reported comment is, under a post too', async () => {
    const { id } = await publish(ann, 'Patch notes')
    const { id: commentId } = await comment(bob, id, 'Buy gold')
    await ask(ann, 'report.create', { commentId, reason: 'Spam' })
    const { items } = await ask<{ items: Report[] }>(admin, 'report.list', {})
    expect(items.find((report) => report.commentId === commentId)).toMatchObject({
      ...{ comment: { content: 'Buy gold' }, video: null, post: null, clip: null },
      postChannel: { id: ann.id },
    })
  })

  test('ban an author: posts and comments go, and come back with the ban', async () => {
    const { id } = await publish(ann, 'Hello')
    const elsewhere = await publish(bob, 'Mine')
    await comment(ann, elsewhere.id, 'Rude')
    await comment(bob, id, 'Hi')
    const foreseen = await ask(admin, 'moderation.banConsequences', { userId: ann.id })
    expect(foreseen).toMatchObject({ posts: 1, comments: 1 })
    await ask(admin, 'moderation.ban', { userId: ann.id, reason: 'Rude' })
    expect((await call(bob, 'post.list', { id: ann.id })).statusCode).toBe(404)
    expect((await call(bob, 'comment.list', { postId: id })).statusCode).toBe(404)
    expect(await commentsOn(elsewhere.id, bob)).toEqual([])
    expect(await postsOf(bob)).toMatchObject([{ commentCount: 0 }])
    expect(await inbox(bob)).toEqual([])
    await ask(admin, 'moderation.unban', { userId: ann.id })
    expect(await postsOf(ann, bob)).toMatchObject([{ id, commentCount: 1 }])
    expect(await commentsOn(elsewhere.id, bob)).toHaveLength(1)
  })
})

describe('an account that is deleted', () => {
  const prepare = async () => {
    await comment(bob, (await publish(ann, 'Hello')).id, 'Under what goes')
    const other = await publish(bob, 'Mine')
    await comment(ann, other.id, 'Stays')
    await ask(ann, 'post.like', { id: other.id, like: 'like' })
    return other.id
  }
  const rowsOf = (member: TestMember) =>
    site.db.selectFrom('posts').select('id').where('channelId', '=', member.id).execute()

  test('takes its posts and likes along, and leaves its comments without a name', async () => {
    const id = await prepare()
    await ask(ann, 'settings.deleteAccount', { password: PASSWORD })
    await expect.poll(() => rowsOf(ann)).toEqual([])
    expect(await postsOf(bob)).toMatchObject([{ id, likeCount: 0, commentCount: 1 }])
    expect(await commentsOn(id)).toMatchObject([{ content: 'Stays', user: null, userId: null }])
  })

  test('takes its comments along too, where an admin chose that', async () => {
    const id = await prepare()
    await deleteTraces(site.db, { userId: ann.id, withComments: true })
    expect(await rowsOf(ann)).toEqual([])
    expect(await postsOf(bob)).toMatchObject([{ id, likeCount: 0, commentCount: 0 }])
  })
})
