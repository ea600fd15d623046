import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasWord } from '#server/community/writing/review.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { HeldComment } from '#shared/schemas/desk/moderation.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann, bob } = setUpMembers(site, ['ann', 'bob'])
let videoId: number

beforeEach(async () => {
  videoId = await site.addVideo(ann)
})
afterEach(() => ask(admin, 'site.edit', { heldWords: [], holdLinks: false }))

const { ask, statusOf } = callsOf(site)
const post = (as: TestMember, content: string, parentId?: number) =>
  ask<Comment>(as, 'comment.create', { videoId, content, ...(parentId && { parentId }) })
const seenBy = async (as: TestMember | undefined) =>
  (await ask<{ items: Comment[] }>(as, 'comment.list', { id: videoId })).items
const inbox = async (as: TestMember) =>
  (await ask<{ items: { type: string }[] }>(as, 'notification.list', {})).items
const queue = async () =>
  (await ask<{ items: HeldComment[] }>(admin, 'moderation.heldComments', {})).items

describe('a comment with a word of the list', () => {
  beforeEach(() => ask(admin, 'site.edit', { heldWords: ['Gold', 'free skins'] }))

  test('waits, seen by its author and admins alone, and notifies nobody before it is approved', async () => {
    const { id, withheld } = await post(bob, `Buy GÓLD now @${ann.username}`)
    expect(withheld).toBe('held')
    expect(await seenBy(undefined)).toEqual([])
    expect(await seenBy(ann)).toEqual([])
    expect(await seenBy(bob)).toMatchObject([{ id, withheld: 'held' }])
    expect(await seenBy(admin)).toHaveLength(1)
    expect(await inbox(ann)).toEqual([])
    expect(await queue()).toMatchObject([{ id, videoTitle: 'A video', username: bob.username }])
    await ask(admin, 'moderation.approveComment', { id })
    expect(await seenBy(undefined)).toMatchObject([{ id, withheld: null }])
    expect(await inbox(ann)).toMatchObject([{ type: 'video_comment' }])
    expect(await queue()).toEqual([])
    expect(await statusOf(admin, 'moderation.approveComment', { id })).toBe(409)
  })

  test('is deleted from the queue with a reason', async () => {
    const { id } = await post(bob, 'Free   skins? No: free skins')
    expect(await queue()).toMatchObject([{ id }])
    await ask(admin, 'moderation.deleteComment', { id, reason: 'An advert' })
    expect(await seenBy(bob)).toEqual([])
    expect(await queue()).toEqual([])
  })

  test('holds its answers back too, and an edit cannot slip one in', async () => {
    const held = await post(bob, 'gold!')
    const answer = await post(bob, 'I mean it', held.id)
    expect(answer.withheld).toBe('held')
    const innocent = await post(bob, 'Nice')
    expect(innocent.withheld).toBe(null)
    const edited = await ask<Comment>(bob, 'comment.edit', { id: innocent.id, content: 'gold' })
    expect(edited.withheld).toBe('held')
    expect(await seenBy(undefined)).toEqual([])
  })

  test('by the video’s owner or an admin does not wait', async () => {
    expect((await post(ann, 'gold')).withheld).toBe(null)
    expect((await post(admin, 'gold')).withheld).toBe(null)
  })

  test('is one with the whole word, whatever its case and accents', () => {
    expect(hasWord('GÖLD, please', ['gold'])).toBe(true)
    expect(hasWord('golden times', ['gold'])).toBe(false)
    expect(hasWord('a c++ b', ['c++'])).toBe(true)
    expect(hasWord('anything', [])).toBe(false)
  })
})

describe('links of new members', () => {
  const link = 'See https://example.org/x'
  beforeEach(() =>
    ask(admin, 'site.edit', { holdLinks: true, newMemberDays: 7, newMemberComments: 2 }),
  )
  const makeOld = (member: TestMember) =>
    changeRows(site.db, 'users', {
      where: { id: member.id },
      values: { createdAt: timestamp(new Date(Date.now() - 8 * 86_400_000)) },
    })

  test('wait while the account is young or has said little', async () => {
    expect((await post(bob, link)).withheld).toBe('held')
    expect((await post(bob, 'No link')).withheld).toBe(null)
    await makeOld(bob)
    expect((await post(bob, 'www.example.org')).withheld).toBe('held')
    await post(bob, 'The second')
    expect((await post(bob, link)).withheld).toBe(null)
  })
})

describe('a video that takes no comments', () => {
  test('keeps those it has, and refuses new ones of anyone', async () => {
    await post(bob, 'Before')
    await ask(ann, 'video.edit', { id: videoId, commentsOff: true })
    const payload = { videoId, content: 'After' }
    for (const as of [bob, ann, admin]) {
      const answer = await site.post('/api/comments', { as, payload })
      expectSentence(answer, { status: 403, naming: 'Comments are turned off for this video.' })
    }
    expect(await seenBy(undefined)).toMatchObject([{ content: 'Before' }])
    expect(await ask(undefined, 'video.get', { id: videoId })).toMatchObject({ commentsOff: true })
    await ask(ann, 'video.edit', { id: videoId, commentsOff: false })
    await post(bob, 'After')
  })
})

describe('the video’s owner', () => {
  test('pins one comment, which is then the only one', async () => {
    const first = await post(bob, 'First')
    const second = await post(bob, 'Second')
    const reply = await post(bob, 'A reply', first.id)
    const pinned = () => ask<Comment | null>(undefined, 'comment.pinned', { id: videoId })
    expect(await pinned()).toBe(null)
    await ask(ann, 'comment.pin', { id: first.id, isPinned: true })
    expect(await pinned()).toMatchObject({ content: 'First', replies: [{ content: 'A reply' }] })
    await ask(ann, 'comment.pin', { id: second.id, isPinned: true })
    expect(await pinned()).toMatchObject({ content: 'Second' })
    expect((await seenBy(undefined)).map(({ isPinned }) => isPinned)).toEqual([true, false])
    await ask(ann, 'comment.pin', { id: first.id, isPinned: false })
    expect((await seenBy(undefined)).map(({ isPinned }) => isPinned)).toEqual([true, false])
    await ask(ann, 'comment.pin', { id: second.id, isPinned: false })
    expect(await pinned()).toBe(null)
    expect(await statusOf(ann, 'comment.pin', { id: reply.id, isPinned: true })).toBe(400)
    expect(await statusOf(bob, 'comment.pin', { id: first.id, isPinned: true })).toBe(403)
    expect(await statusOf(admin, 'comment.pin', { id: first.id, isPinned: true })).toBe(403)
  })

  test('gives hearts and takes them back', async () => {
    const { id } = await post(bob, 'First')
    await ask(ann, 'comment.heart', { id, isHearted: true })
    expect(await seenBy(undefined)).toMatchObject([{ isHearted: true }])
    await ask(ann, 'comment.heart', { id, isHearted: false })
    expect(await seenBy(undefined)).toMatchObject([{ isHearted: false }])
    expect(await statusOf(bob, 'comment.heart', { id, isHearted: true })).toBe(403)
  })
})
