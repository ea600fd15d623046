import { beforeEach, describe, expect, test } from 'vitest'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import type { Report } from '#shared/schemas/desk/moderation.schemas.ts'
import { callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const NO_SUCH_VIDEO = 'This video could not be found or is no longer available.'
const GONE = 'There is no such clip. It may have been deleted with its video.'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann, bob } = setUpMembers(site, ['ann', 'bob'])
let video: number

beforeEach(async () => {
  video = await site.addVideo(ann, { title: 'Heli raid', duration: 200 })
})

const { ask, call } = callsOf(site)
const create = (as: TestMember, changes: object = {}) =>
  ask<Clip>(as, 'clip.create', { ...choice(), ...changes })
const choice = () => ({ videoId: video, title: 'The shot', startSeconds: 10, endSeconds: 25.5 })
const items = async (as: TestMember | undefined, name: string, input: object = {}) =>
  (await ask<{ items: Clip[] }>(as, name, input)).items.map(({ id }) => id)

describe('a clip', () => {
  test('is a range of a video that anybody who sees that may make, without a file', async () => {
    const before = await site.db.selectFrom('mediaFiles').selectAll().execute()
    const clip = await create(bob)
    expect(clip).toMatchObject({
      ...choice(),
      maker: { username: bob.username },
      ...{ viewCount: 0, likeCount: 0, commentCount: 0, canEdit: true, shareUrl: null },
      video: { id: video, title: 'Heli raid' },
    })
    expect(await ask<Clip>(undefined, 'clip.byId', { id: clip.id })).toMatchObject({
      ...{ title: 'The shot', canEdit: false, isLiked: false },
    })
    expect(await site.db.selectFrom('mediaFiles').selectAll().execute()).toEqual(before)
  })

  test.each([
    [{ startSeconds: 25, endSeconds: 10 }, 400, 'The clip ends before it starts.'],
    [{ startSeconds: 190, endSeconds: 201 }, 400, 'The clip goes beyond the end of the video.'],
    [{ startSeconds: 10, endSeconds: 11.9 }, 400, 'A clip is 2 to 180 seconds long.'],
    [{ startSeconds: 0, endSeconds: 180.1 }, 400, 'A clip is 2 to 180 seconds long.'],
    [{ startSeconds: -1 }, 400, 'startSeconds must not be negative.'],
    [{ title: ' x ' }, 400, 'Title must be at least 3 characters'],
    [{ videoId: 999_999 }, 404, NO_SUCH_VIDEO],
  ])('of %o is refused', async (changes, status, sentence) => {
    const answer = await call(bob, 'clip.create', { ...choice(), ...changes })
    expectRefused(answer, status, sentence)
    expect(await items(undefined, 'clip.ofVideo', { id: video })).toEqual([])
  })

  test('is refused where its video does not play, is replaced, or its owner wants none', async () => {
    const set = (change: object) =>
      site.db.updateTable('videos').set(change).where('id', '=', video).execute()
    await ask(ann, 'video.edit', { id: video, allowsClips: false })
    expectRefused(
      await call(bob, 'clip.create', choice()),
      403,
      'The owner of this video does not want clips of it.',
    )
    expect((await create(ann)).id).toBeGreaterThan(0)
    await set({ processingState: 'processing' })
    expectRefused(
      await call(ann, 'clip.create', choice()),
      409,
      'This video does not play yet, so there is nothing to clip.',
    )
    await set({ processingState: 'ready', contentApproved: 0, allowsClips: 1 })
    expectRefused(await call(bob, 'clip.create', choice()), 404, NO_SUCH_VIDEO)
    await set({ processingState: 'deleting' })
    expectRefused(await call(ann, 'clip.create', choice()), 404, NO_SUCH_VIDEO)
  })

  test('is one of a hundred that a member makes in a day', async () => {
    const row = {
      ...{
        ...choice(),
        userId: bob.id,
        foldedTitle: 'the shot',
        shareFile: null,
        pictureFile: null,
      },
      createdAt: new Date().toISOString(),
    }
    await addRows(
      site.db,
      'clips',
      Array.from({ length: 100 }, () => row),
    )
    expectRefused(
      await call(bob, 'clip.create', choice()),
      429,
      'You made 100 clips in the last 24 hours, which is the most for a day. Make more later.',
    )
    const createdAt = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()
    await site.db.updateTable('clips').set({ createdAt }).where('userId', '=', bob.id).execute()
    expect((await create(bob)).id).toBeGreaterThan(0)
  })

  test('goes with its video, and is seen by nobody who does not see that', async () => {
    const { id } = await create(bob)
    await ask(ann, 'video.edit', { id: video, visibility: 'private' })
    expectRefused(await call(bob, 'clip.byId', { id }), 404, GONE)
    expect(await items(bob, 'clip.mine')).toEqual([])
    expect(await items(ann, 'clip.ofVideo', { id: video })).toEqual([id])
    await ask(ann, 'video.edit', { id: video, visibility: 'unlisted' })
    expect(await ask(undefined, 'clip.byId', { id })).toMatchObject({ id })
    expect(await items(undefined, 'clip.newest')).not.toContain(id)
    await ask(ann, 'video.delete', { id: video })
    expectRefused(await call(ann, 'clip.byId', { id }), 404, GONE)
  })

  test('is renamed and deleted by its maker, the owner and admins; its ends are its maker’s', async () => {
    const { id } = await create(bob)
    expect(await ask(ann, 'clip.update', { id, title: 'Better' })).toMatchObject({
      title: 'Better',
    })
    expectRefused(
      await call(ann, 'clip.update', { id, endSeconds: 30 }),
      403,
      'Only whoever made this clip can change it.',
    )
    expect(await ask(bob, 'clip.update', { id, endSeconds: 30 })).toMatchObject({
      ...{ startSeconds: 10, endSeconds: 30 },
    })
    expectRefused(
      await call(bob, 'clip.update', { id, endSeconds: 5 }),
      400,
      'The clip ends before it starts.',
    )
    await ask(admin, 'clip.delete', { id })
    expectRefused(await call(bob, 'clip.byId', { id }), 404, GONE)
    const { items: log } = await ask<{ items: object[] }>(admin, 'audit.list', {})
    expect(log[0]).toMatchObject({ action: 'clip.delete', targetName: 'Better' })
  })

  test('is liked and watched on its own account', async () => {
    const { id } = await create(bob)
    const like = (isLiked: boolean) => ask(ann, 'clip.like', { id, isLiked })
    expect(await like(true)).toEqual({ likeCount: 1, isLiked: true })
    expect(await like(true)).toEqual({ likeCount: 1, isLiked: true })
    expect(await like(false)).toEqual({ likeCount: 0, isLiked: false })
    await ask(undefined, 'clip.report', { id, watchedSeconds: 0 })
    site.passTime(20)
    expect(await ask(undefined, 'clip.report', { id, watchedSeconds: 15 })).toEqual({
      viewCounted: true,
    })
    expect(await ask(undefined, 'clip.report', { id, watchedSeconds: 16 })).toEqual({
      viewCounted: false,
    })
    expect(await ask(undefined, 'clip.byId', { id })).toMatchObject({
      ...{ viewCount: 1, video: { viewCount: 0 } },
    })
  })

  test('has comments of its own, of which its maker is told', async () => {
    const { id } = await create(bob)
    const said = await ask<Comment>(ann, 'comment.create', {
      ...{ videoId: video, clipId: id, content: 'What a shot' },
    })
    const reply = { videoId: video, parentId: said.id, content: 'Thanks' }
    expect(await ask(bob, 'comment.create', reply)).toMatchObject({ clipId: id })
    const listed = (input: object) => ask<{ items: Comment[] }>(undefined, 'comment.list', input)
    expect(await listed({ id: video })).toMatchObject({ items: [] })
    expect(await listed({ id: video, clipId: id })).toMatchObject({
      items: [{ id: said.id, clipId: id, replyCount: 1 }],
    })
    expect(await ask(undefined, 'clip.byId', { id })).toMatchObject({ commentCount: 2 })
    const told = await ask<{ items: Notification[] }>(bob, 'notification.list', {})
    expect(told.items).toMatchObject([
      { title: 'New comment on "The shot"', videoId: video, clipId: id },
    ])
    await ask(bob, 'report.create', { commentId: said.id, reason: 'Spam' })
    const reports = await ask<{ items: Report[] }>(admin, 'report.list', {})
    expect(reports.items.find(({ commentId }) => commentId === said.id)).toMatchObject({
      ...{ video: { id: video }, clip: { id, title: 'The shot' }, postChannel: null },
    })
    await ask(ann, 'comment.pin', { id: said.id, isPinned: true })
    const pinned = (input: object) => ask<Comment | null>(undefined, 'comment.pinned', input)
    expect(await pinned({ id: video, clipId: id })).toMatchObject({ id: said.id, replyCount: 1 })
    expect(await pinned({ id: video })).toBe(null)
    const other = await site.addVideo(ann, { duration: 200 })
    const astray = { videoId: other, clipId: id, content: 'Where am I' }
    expectRefused(await call(ann, 'comment.create', astray), 400, 'This clip is of another video.')
  })

  test('of an anonymous video does not name its owner as the maker', async () => {
    await ask(ann, 'video.edit', { id: video, isAnonymous: true })
    const { id } = await create(ann)
    expect(await ask(bob, 'clip.byId', { id })).toMatchObject({
      maker: null,
      video: { userId: null },
    })
    expect(await items(bob, 'clip.ofChannel', { id: ann.id })).toEqual([])
    expect(await ask(ann, 'clip.byId', { id })).toMatchObject({ maker: { id: ann.id } })
  })
})

describe('lists of clips', () => {
  test('are those of a video by likes, of a channel, of the week, and found by their words', async () => {
    const one = await create(bob, { title: 'First raid' })
    const two = await create(ann, { title: 'Second Raid' })
    await ask(ann, 'clip.like', { id: one.id, isLiked: true })
    expect(await items(undefined, 'clip.ofVideo', { id: video })).toEqual([one.id, two.id])
    expect(await items(undefined, 'clip.ofChannel', { id: ann.id })).toEqual([two.id, one.id])
    expect(await items(undefined, 'clip.ofChannel', { id: bob.id })).toEqual([one.id])
    expect((await items(undefined, 'clip.newest')).slice(0, 2)).toEqual([two.id, one.id])
    expect((await items(undefined, 'clip.bestOfWeek'))[0]).toBe(one.id)
    expect(await items(undefined, 'clip.search', { q: 'RAID second' })).toEqual([two.id])
    expect(await items(undefined, 'clip.search', { q: '\u0301' })).toEqual([])
    expect(await items(bob, 'clip.mine')).toEqual([one.id])
    const page = await ask<{ items: Clip[]; nextCursor: string }>(undefined, 'clip.ofVideo', {
      ...{ id: video, limit: 1 },
    })
    const cursor = page.nextCursor
    expect(await items(undefined, 'clip.ofVideo', { id: video, limit: 1, cursor })).toEqual([
      two.id,
    ])
  })
})
