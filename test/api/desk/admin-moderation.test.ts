import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { removeBannedMembers } from '#server/desk/moderation/member-moderation.service.ts'
import { clusterOf } from '#server/platform/cluster/cluster.ts'
import type { AuditEntry } from '#shared/schemas/desk/audit.schemas.ts'
import type { Report } from '#shared/schemas/desk/moderation.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { partsOf, storeFiles } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann } = setUpMembers(site, ['ann'], { hasPassword: true })
const { bob } = setUpMembers(site, ['bob'])

const { ask, statusOf, refusal } = callsOf(site)
const inbox = async (as: TestMember) =>
  (await ask<{ items: { title: string; message: string }[] }>(as, 'notification.list', {})).items
const log = async (input: object = {}) =>
  (await ask<{ items: AuditEntry[] }>(admin, 'audit.list', input)).items
const key = () => crypto.randomUUID().replaceAll('-', '')

async function addVideoWithFile(owner: TestMember, title = 'A video') {
  const mediaKey = key()
  const videoUrl = `/media/${mediaKey}/video.mp4`
  const id = await site.addVideo(owner, { mediaKey, videoUrl, title })
  await storeFiles(site, mediaKey, { 'video.mp4': 'bytes' })
  return { id, videoUrl }
}

describe('a hidden video', () => {
  test('is gone for others at once, with its file, and its owner reads why', async () => {
    const { id, videoUrl } = await addVideoWithFile(ann)
    await ask(admin, 'moderation.hideVideo', { id, reason: 'Shows an address' })
    expect(await statusOf(bob, 'video.get', { id })).toBe(404)
    expect((await site.get(videoUrl)).statusCode).toBe(404)
    expect(await statusOf(ann, 'video.get', { id })).toBe(200)
    expect(await inbox(ann)).toMatchObject([
      { title: 'Your video was hidden', message: '"A video": Shows an address' },
    ])
    expect((await ask<{ items: object[] }>(admin, 'moderation.queue', {})).items).toEqual([])
    const again = { id, reason: 'Once more' }
    expect(await refusal(admin, 'moderation.hideVideo', again)).toBe(
      '409 This video is hidden already.',
    )
    await ask(admin, 'moderation.unhideVideo', { id })
    expect(await statusOf(bob, 'video.get', { id })).toBe(200)
    expect(await refusal(admin, 'moderation.unhideVideo', { id })).toBe(
      '409 This video is not hidden.',
    )
    expect((await log()).slice(0, 2)).toMatchObject([
      { action: 'video.unhide', targetName: 'A video', actorName: 'admin' },
      { action: 'video.hide', targetId: id, reason: 'Shows an address' },
    ])
  })

  test('is found in searches no more, and again when it is shown', async () => {
    const { id } = await addVideoWithFile(ann, 'Xylophone raid')
    const found = async () =>
      (await ask<{ items: object[] }>(undefined, 'search.videos', { q: 'xylophone' })).items.length
    expect(await found()).toBe(1)
    await ask(admin, 'moderation.hideVideo', { id, reason: 'Too loud' })
    expect(await found()).toBe(0)
    await ask(admin, 'moderation.unhideVideo', { id })
    expect(await found()).toBe(1)
  })

  test('that an admin deletes is reported to its owner and written down', async () => {
    const { id, videoUrl } = await addVideoWithFile(ann)
    await ask(admin, 'moderation.deleteVideo', { id, reason: 'Not yours to show' })
    expect(await statusOf(ann, 'video.get', { id })).toBe(404)
    expect((await site.get(videoUrl)).statusCode).toBe(404)
    expect(await inbox(ann)).toMatchObject([{ title: 'Your video was deleted' }])
    expect(await log({ q: 'not YOURS' })).toMatchObject([
      { action: 'video.delete', targetId: id, targetName: 'A video' },
    ])
  })
})

describe('a comment', () => {
  test('that is hidden is seen by admins alone until it is shown again', async () => {
    const videoId = await site.addVideo(ann)
    const { id } = await ask<{ id: number }>(bob, 'comment.create', { videoId, content: 'Bah' })
    await ask(admin, 'moderation.hideComment', { id, reason: 'Be kind' })
    const seenBy = async (as: TestMember | undefined) =>
      (await ask<{ items: object[] }>(as, 'comment.list', { id: videoId })).items
    for (const as of [undefined, ann, bob]) expect(await seenBy(as)).toEqual([])
    expect(await seenBy(admin)).toMatchObject([{ id, withheld: 'hidden' }])
    expect(await statusOf(ann, 'like.set', { commentId: id, isLike: true })).toBe(404)
    expect(await inbox(bob)).toMatchObject([{ message: 'Be kind' }])
    await ask(admin, 'moderation.unhideComment', { id })
    expect(await seenBy(undefined)).toMatchObject([{ id, withheld: null }])
    await ask(admin, 'moderation.deleteComment', { id, reason: 'Be kind' })
    expect(await seenBy(admin)).toEqual([])
    expect(await log({ action: 'comment.delete' })).toMatchObject([{ reason: 'Be kind' }])
  })
})

describe('a warning', () => {
  test('reaches the member, and is counted in the next report about them', async () => {
    await ask(admin, 'moderation.warn', { userId: bob.id, reason: 'No ads, please' })
    expect(await inbox(bob)).toMatchObject([{ message: 'No ads, please' }])
    await ask(ann, 'report.create', { channelId: bob.id, reason: 'Ads again' })
    const { items } = await ask<{ items: Report[] }>(admin, 'report.list', { q: bob.username })
    expect(items).toMatchObject([{ accused: { id: bob.id, warnings: 1, isBanned: false } }])
    const self = { userId: admin.id, reason: 'Myself' }
    expect(await refusal(admin, 'moderation.warn', self)).toBe('409 You cannot warn yourself.')
  })
})

describe('a ban', () => {
  const ban = (who: TestMember) =>
    ask(admin, 'moderation.ban', { userId: who.id, reason: 'Spam\nand more' })

  test('ends the sessions, and says at login why', async () => {
    await ban(ann)
    expect((await site.get('/api/user', { as: ann })).statusCode).toBe(401)
    const login = (password: string) =>
      site.post('/api/login', { payload: { username: ann.username, password } })
    expectSentence(await login(PASSWORD), { status: 403, naming: 'banned. The reason: Spam and' })
    expectSentence(await login('a wrong password'), { status: 401 })
    await ask(admin, 'moderation.unban', { userId: ann.id })
    expect((await login(PASSWORD)).statusCode).toBe(200)
  })

  test('hides everything of the member for all but admins, and a lifted one shows it again', async () => {
    const { id, videoUrl } = await addVideoWithFile(ann, `Quokka ${ann.id}`)
    const pending = await site.addVideo(ann, { contentApproved: 0 })
    const hidden = await site.addVideo(ann)
    await ask(admin, 'moderation.hideVideo', { id: hidden, reason: 'Before' })
    const other = await site.addVideo(bob)
    await ask(ann, 'comment.create', { videoId: other, content: 'From Ann' })
    const list = { title: 'Mine', isPublic: true }
    const playlist = await ask<{ id: number }>(ann, 'playlist.create', list)
    await ask(bob, 'subscription.create', { channelId: ann.id })
    const avatarUrl = `/media/${key()}/avatar.jpg`
    await site.db.updateTable('users').set({ avatarUrl }).where('id', '=', ann.id).execute()
    await storeFiles(site, partsOf(avatarUrl)[0], { 'avatar.jpg': 'bytes' })

    const seen = async () => ({
      video: await statusOf(bob, 'video.get', { id }),
      file: (await site.get(videoUrl)).statusCode,
      avatar: (await site.get(avatarUrl)).statusCode,
      channel: await statusOf(bob, 'user.get', { id: ann.id }),
      videos: await statusOf(bob, 'video.listByUser', { id: ann.id }),
      playlist: await statusOf(bob, 'playlist.get', { id: playlist.id }),
      comments: (await ask<{ items: object[] }>(bob, 'comment.list', { id: other })).items.length,
      followed: (await ask<object[]>(bob, 'subscription.channels')).length,
      notices: (await inbox(bob)).length,
      found: (await ask<{ items: object[] }>(undefined, 'search.videos', { q: `quokka ${ann.id}` }))
        .items.length,
    })
    const open = { video: 200, file: 200, avatar: 200, channel: 200, videos: 200, playlist: 200 }
    expect(await seen()).toEqual({ ...open, comments: 1, followed: 1, notices: 1, found: 1 })
    await ban(ann)
    const shut = { video: 404, file: 404, avatar: 404, channel: 404, videos: 404, playlist: 404 }
    expect(await seen()).toEqual({ ...shut, comments: 0, followed: 0, notices: 0, found: 0 })
    expect(await statusOf(bob, 'subscription.create', { channelId: ann.id })).toBe(404)
    expect(await statusOf(admin, 'user.get', { id: ann.id })).toBe(200)
    expect((await ask<{ items: object[] }>(admin, 'moderation.queue', {})).items).toEqual([])
    expect(await refusal(admin, 'moderation.approve', { id })).toMatch(/^409 The owner .* banned/)

    await ask(admin, 'moderation.unban', { userId: ann.id })
    expect(await seen()).toEqual({ ...open, comments: 1, followed: 1, notices: 1, found: 1 })
    expect(await statusOf(bob, 'video.get', { id: pending })).toBe(404)
    expect(await statusOf(bob, 'video.get', { id: hidden })).toBe(404)
    await ask(admin, 'moderation.approve', { id: pending })
  })

  test('is refused for oneself, for admins and twice', async () => {
    const by = (userId: number) => refusal(admin, 'moderation.ban', { userId, reason: 'Because' })
    const other = await site.addMember(`second${ann.id}`, { isAdmin: true })
    expect(await by(admin.id)).toBe('409 You cannot ban yourself.')
    expect(await by(other.id)).toMatch(/^409 This member is an admin/)
    expect(await by(999_999)).toMatch(/^404/)
    await ban(bob)
    expect(await by(bob.id)).toBe('409 This member is banned already.')
    await ask(admin, 'moderation.unban', { userId: bob.id })
    expect(await refusal(admin, 'moderation.unban', { userId: bob.id })).toMatch(/^409/)
  })

  test('deletes nothing, however long it lasts, unless that was chosen', async () => {
    const { id } = await addVideoWithFile(ann)
    await ban(ann)
    await removeBannedMembers(site.deps, new Date(Date.now() + 1000 * 86_400_000))
    expect(await statusOf(admin, 'video.get', { id })).toBe(200)
    await ask(admin, 'moderation.unban', { userId: ann.id })
    expect(await statusOf(bob, 'video.get', { id })).toBe(200)
  })

  test('previews what it would withhold and end', async () => {
    const asked = { userId: ann.id }
    const none = { videos: 0, comments: 0, apiTokens: 0, uploads: 0, isBanned: false }
    expect(await ask(admin, 'moderation.banConsequences', asked)).toMatchObject(none)
    await site.addVideo(ann)
    await site.addVideo(ann, { contentApproved: 0 })
    await ask(ann, 'comment.create', { videoId: await site.addVideo(bob), content: 'From Ann' })
    await ask(ann, 'post.create', { content: 'From Ann' })
    const payload = { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip' } }
    await site.post('/api/uploads/initialize', { as: ann, payload })
    expect(await ask(admin, 'moderation.banConsequences', asked)).toEqual({
      ...{ videos: 1, comments: 1, posts: 1, apiTokens: 0, uploads: 1 },
      ...{ isBanned: false, isAdmin: false },
      sessions: expect.any(Number),
    })
    const { sessions } = await ask<{ sessions: number }>(admin, 'moderation.banConsequences', asked)
    expect(sessions).toBeGreaterThan(0)
    await ban(ann)
    expect(await ask(admin, 'moderation.banConsequences', asked)).toEqual({
      ...{ videos: 0, comments: 0, posts: 0, sessions: 0, apiTokens: 0, uploads: 0 },
      ...{ isBanned: true, isAdmin: false },
    })
  })

  test('becomes a deletion after 30 days where that was chosen and nobody lifts it', async () => {
    const { id, videoUrl } = await addVideoWithFile(ann)
    const other = await site.addVideo(bob)
    await ask(ann, 'comment.create', { videoId: other, content: 'From Ann' })
    const choice = { userId: ann.id, reason: 'Spam', deletesContent: true }
    await ask(admin, 'moderation.ban', choice)
    const later = (days: number) => new Date(Date.now() + days * 86_400_000)
    await removeBannedMembers(site.deps, later(29))
    expect(await statusOf(admin, 'video.get', { id })).toBe(200)
    await removeBannedMembers(site.deps, later(31))
    expect(await statusOf(admin, 'video.get', { id })).toBe(404)
    expect(await statusOf(admin, 'user.get', { id: ann.id })).toBe(404)
    expect((await site.get(videoUrl, { as: admin })).statusCode).toBe(404)
    expect((await ask<{ items: object[] }>(admin, 'comment.list', { id: other })).items).toEqual([])
    expect(await log({ action: 'member.expire' })).toMatchObject([
      { actorName: 'Clutch', targetName: ann.username },
    ])
  })

  test('that is lifted while another becomes a deletion stays lifted', async () => {
    const both = [ann.id, bob.id]
    const choice = { reason: 'Spam', deletesContent: true }
    for (const userId of both) await ask(admin, 'moderation.ban', { userId, ...choice })
    const left = async () => {
      const query = site.db.selectFrom('users').select('id').where('deletion', 'is', null)
      return (await query.where('id', 'in', both).execute()).map(({ id }) => id)
    }
    const { withLock } = clusterOf(site.db).locks
    // As if much of theirs was to be removed.
    const { removing, lifted } = await withLock(`account:${ann.id}`, () =>
      withLock(`account:${bob.id}`, async () => {
        const removing = removeBannedMembers(site.deps, new Date(Date.now() + 31 * 86_400_000))
        await until(async () => (await left()).length === 1)
        const [userId] = await left()
        await ask(admin, 'moderation.unban', { userId })
        return { removing, lifted: userId }
      }),
    )
    await removing
    expect(await left()).toEqual([lifted])
  })
})

describe('reports', () => {
  test('carry what they are about, and end when it is dealt with', async () => {
    const videoId = await site.addVideo(ann, { title: 'Loot guide' })
    const { id: commentId } = await ask<{ id: number }>(ann, 'comment.create', {
      videoId,
      content: 'Buy gold here',
    })
    await ask(bob, 'report.create', { commentId, reason: `Advert ${ann.id}` })
    const list = async (state: string) =>
      (await ask<{ items: Report[] }>(admin, 'report.list', { state, q: `advert ${ann.id}` })).items
    expect(await list('open')).toMatchObject([
      {
        reporterName: bob.username,
        openCount: 1,
        video: { id: videoId, title: 'Loot guide', isHidden: false },
        comment: { id: commentId, content: 'Buy gold here', isHidden: false },
        accused: { username: ann.username },
      },
    ])
    await ask(admin, 'moderation.hideComment', { id: commentId, reason: 'An advert' })
    expect(await list('open')).toEqual([])
    expect(await list('resolved')).toMatchObject([
      { closedByName: 'admin', comment: { isHidden: true } },
    ])
  })
})

test('a report keeps the words that their author deletes, and those of a video that goes', async () => {
  const videoId = await site.addVideo(ann, { title: `Aim lesson ${ann.id}` })
  const { id } = await ask<{ id: number }>(ann, 'comment.create', {
    videoId,
    content: 'Rude words',
  })
  await ask(bob, 'report.create', { commentId: id, reason: `Rude ${ann.id}` })
  await ask(bob, 'report.create', { videoId, reason: `Rude ${ann.id}` })
  await ask(ann, 'comment.delete', { id })
  await ask(ann, 'video.delete', { id: videoId })
  const list = async (state: string) =>
    (await ask<{ items: Report[] }>(admin, 'report.list', { state, q: `rude ${ann.id}` })).items
  const [video, comment] = await list('open')
  const gone = { isGone: true, openCount: 1, video: null, accused: { username: ann.username } }
  expect(video).toMatchObject({ kind: 'video', subject: `Aim lesson ${ann.id}`, ...gone })
  expect(comment).toMatchObject({ kind: 'comment', subject: 'Rude words', ...gone })
  await ask(admin, 'report.close', { id: video?.id, state: 'resolved' })
  expect(await list('resolved')).toHaveLength(1)
})

describe('the audit log', () => {
  test('pages, filters, and cannot be changed even by the database’s owner', async () => {
    for (let count = 0; count < 3; count++) {
      await ask(admin, 'moderation.warn', { userId: bob.id, reason: `Warning ${count}` })
    }
    type Page = { items: AuditEntry[]; nextCursor: string }
    const input = { q: bob.username, limit: 2 }
    const first = await ask<Page>(admin, 'audit.list', input)
    expect(first.items.map(({ reason }) => reason)).toEqual(['Warning 2', 'Warning 1'])
    const next = await ask<Page>(admin, 'audit.list', { ...input, cursor: first.nextCursor })
    expect(next).toMatchObject({ items: [{ reason: 'Warning 0' }], nextCursor: null })
    await expect(sql`UPDATE "auditLog" SET reason = ''`.execute(site.db)).rejects.toThrow(
      /only grows/,
    )
    await expect(sql`DELETE FROM "auditLog"`.execute(site.db)).rejects.toThrow(/only grows/)
  })
})
