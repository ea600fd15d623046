import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { inBatches } from '#server/platform/db/batches.ts'
import type { HistoryItem, Playlist } from '#shared/schemas/library.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann, bob } = setUpMembers(site, ['ann', 'bob'])

/** A new channel and a new viewer for every test, on a site without other videos. */
beforeEach(async () => {
  await site.db.deleteFrom('videos').execute()
})

type Listed = { items: Video[]; nextCursor: string | null }
const { ask, statusOf } = callsOf(site)
const titlesOf = (videos: Video[]) => videos.map((video) => video.title)
const list = async (as: TestMember | undefined, name: string, input: object = {}) =>
  titlesOf((await ask<Listed>(as, name, input)).items)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

describe('the history', () => {
  const watch = (as: TestMember | undefined, videoId: number, positionSeconds = 5) =>
    ask(as, 'history.report', { videoId, positionSeconds, watchedSeconds: 1 })
  const history = async (input: object = {}) =>
    (await ask<{ items: HistoryItem[] }>(bob, 'history.list', input)).items

  test('has each video once, the latest first, with the place in it', async () => {
    const first = await site.addVideo(ann, { title: 'First', duration: 60 })
    const second = await site.addVideo(ann, { title: 'Second', duration: 60 })
    await watch(bob, first, 10)
    await watch(bob, second, 20)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await watch(bob, first, 30)
    const items = await history()
    expect(items.map((item) => [item.video.title, item.positionSeconds])).toEqual([
      ['First', 30],
      ['Second', 20],
    ])
    await watch(bob, first, 600)
    const positions = await ask<object[]>(bob, 'history.positions', { videoIds: [first, 999] })
    expect(positions).toEqual([{ videoId: first, positionSeconds: 60 }])
    expect(await ask<object[]>(ann, 'history.positions', { videoIds: [first] })).toEqual([])
  })

  test('is filtered by title, whatever the case and accents, with no character special', async () => {
    for (const title of ['Überfall am See', 'Ace 100%', 'Under_score']) {
      await watch(bob, await site.addVideo(ann, { title }))
    }
    const filtered = async (q: string) =>
      (await history({ q })).map((item) => item.video.title).sort()
    for (const q of ['überfall', 'ÜBERFALL', 'uberfall', 'Überfall', 'am s']) {
      expect(await filtered(q)).toEqual(['Überfall am See'])
    }
    expect(await filtered('%')).toEqual(['Ace 100%'])
    expect(await filtered('_')).toEqual(['Under_score'])
    expect(await filtered(' ')).toHaveLength(3)
    expect(await filtered('nothing')).toEqual([])
  })

  test('of many thousand videos is filtered to its end, page by page', async () => {
    const many = 6000
    await sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${many})
      INSERT INTO videos ("userId", "mediaKey", title, "publishedAt", "processingState")
      SELECT ${ann.id}, 'many-' || n, CASE WHEN n % 2500 = 1 THEN 'Needle ' || n ELSE 'Hay' END, ${daysAgo(1)}, 'ready'
      FROM numbers`.execute(site.db)
    await sql`
      INSERT INTO history ("userId", "videoId", "positionSeconds", "watchedAt")
      SELECT ${bob.id}, id, 1, '2026-01-01T00:00:00.' || (100 + id % 100) || 'Z' FROM videos`.execute(
      site.db,
    )
    const first = await ask<Listed>(bob, 'history.list', { q: 'needle', limit: 2 })
    const rest = await ask<Listed>(bob, 'history.list', {
      ...{ q: 'needle', limit: 2 },
      cursor: first.nextCursor,
    })
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([2, 1, null])
    expect(await history({ q: 'nothing' })).toEqual([])
    await ask(bob, 'history.clear')
    expect(await history()).toEqual([])
    await inBatches(async () => {
      const some = sql`SELECT id FROM videos LIMIT 500`
      const { numAffectedRows } = await sql`DELETE FROM videos WHERE id IN (${some})`.execute(
        site.db,
      )
      return Number(numAffectedRows)
    })
  })

  test('is removed one by one, or as a whole, and of nobody else', async () => {
    const videos = [await site.addVideo(ann), await site.addVideo(ann), await site.addVideo(ann)]
    for (const id of videos) {
      await watch(bob, id)
      await watch(ann, id)
    }
    await ask(bob, 'history.remove', { videoId: videos[1] })
    expect((await history()).map((item) => item.video.id).sort()).toEqual([videos[0], videos[2]])
    await ask(bob, 'history.clear')
    expect(await history()).toEqual([])
    expect((await ask<Listed>(ann, 'history.list', {})).items).toHaveLength(3)
  })

  test('takes a removed item back to its place, unless it was watched again', async () => {
    const videos = [
      await site.addVideo(ann, { duration: 60 }),
      await site.addVideo(ann, { duration: 60 }),
    ]
    for (const id of videos) {
      await watch(bob, id, 20)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    const before = await history()
    const { positionSeconds, watchedAt } = before[1] as HistoryItem
    const removed = { videoId: videos[0], positionSeconds, watchedAt }
    await ask(bob, 'history.remove', { videoId: videos[0] })
    await ask(bob, 'history.setPaused', { paused: true })
    await ask(bob, 'history.restore', removed)
    await ask(bob, 'history.setPaused', { paused: false })
    expect(await history()).toEqual(before)

    await ask(bob, 'history.remove', { videoId: videos[0] })
    await watch(bob, videos[0] as number, 30)
    await ask(bob, 'history.restore', removed)
    expect((await history()).map((item) => item.positionSeconds)).toEqual([30, 20])
    await ask(bob, 'history.clear')
    await ask(bob, 'history.restore', { ...removed, positionSeconds: 900 })
    expect(await history()).toMatchObject([{ positionSeconds: 60, watchedAt }])
  })

  test('takes no item back that cannot have been there', async () => {
    const videoId = await site.addVideo(ann)
    const item = { videoId, positionSeconds: 1, watchedAt: daysAgo(1) }
    for (const wrong of [
      { watchedAt: daysAgo(-1) },
      { watchedAt: 'yesterday' },
      { positionSeconds: -1 },
    ]) {
      expect(await statusOf(bob, 'history.restore', { ...item, ...wrong })).toBe(400)
    }
    expect(await statusOf(bob, 'history.restore', { ...item, videoId: 999_999 })).toBe(404)
    expect(await history()).toEqual([])
  })

  test('records nothing while it is paused, though views count', async () => {
    const id = await site.addVideo(ann)
    await ask(bob, 'history.setPaused', { paused: true })
    expect(await ask(bob, 'history.state')).toEqual({ paused: true })
    const report = { videoId: id, positionSeconds: 12, watchedSeconds: 12 }
    await ask(bob, 'history.report', { ...report, watchedSeconds: 0 })
    site.passTime(12)
    expect(await ask(bob, 'history.report', report)).toEqual({ viewCounted: true })
    expect(await history()).toEqual([])
    await ask(bob, 'history.setPaused', { paused: false })
    await watch(bob, id)
    expect(await history()).toHaveLength(1)
  })

  test('comes in pages, and hides what is no longer visible', async () => {
    const ids: number[] = []
    for (let index = 0; index < 5; index++) ids.push(await site.addVideo(ann))
    for (const id of ids) await watch(bob, id)
    await changeRows(site.db, 'videos', {
      where: { id: ids[2] ?? 0 },
      values: { contentApproved: 0 },
    })
    const page = await ask<Listed>(bob, 'history.list', { limit: 3 })
    const rest = await ask<Listed>(bob, 'history.list', { limit: 3, cursor: page.nextCursor })
    expect([page.items.length, rest.items.length, rest.nextCursor]).toEqual([3, 1, null])
  })
})

describe('playlists', () => {
  const make = (fields: object = {}) =>
    ask<Playlist>(ann, 'playlist.create', { title: 'Best of', ...fields })
  const read = (id: number, as: TestMember | undefined = ann) =>
    ask<Playlist & { videos: Video[] }>(as, 'playlist.get', { id })
  const add = (playlistId: number, videoId: number) =>
    ask(ann, 'playlist.addVideo', { playlistId, videoId })

  test('are put in any order', async () => {
    const { id } = await make()
    const videos: number[] = []
    for (const title of ['A one', 'B two', 'C three', 'D four']) {
      videos.push(await site.addVideo(ann, { title }))
    }
    for (const video of videos) await add(id, video)
    const order = async () =>
      titlesOf((await read(id)).videos)
        .map((title) => title[0])
        .join('')
    const move = (index: number, toIndex: number) =>
      ask(ann, 'playlist.moveVideo', { playlistId: id, videoId: videos[index], toIndex })
    expect(await order()).toBe('ABCD')
    await move(3, 0)
    expect(await order()).toBe('DABC')
    await move(0, 2)
    expect(await order()).toBe('DBAC')
    await move(1, 500)
    expect(await order()).toBe('DACB')
    await ask(ann, 'playlist.removeVideo', { playlistId: id, videoId: videos[0] })
    await add(id, videos[3] as number)
    expect(await order()).toBe('DCB')
    const gone = { playlistId: id, videoId: videos[0], toIndex: 0 }
    expect(await statusOf(ann, 'playlist.moveVideo', gone)).toBe(404)
  })

  test('are private unless made public, and a private one exists for nobody else', async () => {
    const { id, isPublic } = await make()
    expect(isPublic).toBe(false)
    for (const as of [undefined, bob]) expect(await statusOf(as, 'playlist.get', { id })).toBe(404)
    expect(await ask(bob, 'playlist.listByUser', { id: ann.id })).toEqual([])
    await ask(ann, 'playlist.edit', { id, isPublic: true, description: 'Mine' })
    expect(await read(id, bob)).toMatchObject({ description: 'Mine', owner: { id: ann.id } })
    expect(await ask(bob, 'playlist.listByUser', { id: ann.id })).toMatchObject([{ id }])
  })

  test('show others only what they may see', async () => {
    const { id } = await make({ isPublic: true })
    await add(id, await site.addVideo(ann, { title: 'Seen' }))
    await add(id, await site.addVideo(ann, { title: 'Pending', contentApproved: 0 }))
    expect(titlesOf((await read(id)).videos)).toEqual(['Seen', 'Pending'])
    expect(await read(id, bob)).toMatchObject({ videoCount: 1, videos: [{ title: 'Seen' }] })
  })

  test('hold at most 500 videos', async () => {
    const { id: playlistId } = await make()
    const rows = Array.from({ length: 500 }, (_, index) => ({
      ...{ userId: ann.id, mediaKey: `full-${index}`, title: 'One of many' },
      ...{ publishedAt: daysAgo(1), processingState: 'ready' as const },
    }))
    const made = await site.db.insertInto('videos').values(rows).returning('id').execute()
    const items = made.map(({ id }, position) => ({
      playlistId,
      videoId: id,
      position,
      addedAt: daysAgo(0),
    }))
    await site.db.insertInto('playlistItems').values(items).execute()
    const videoId = await site.addVideo(ann)
    expect(await statusOf(ann, 'playlist.addVideo', { playlistId, videoId })).toBe(409)
    const full = await read(playlistId)
    expect([full.videoCount, full.videos.length]).toEqual([500, 48])
  })

  test('are read page by page, also when the video where a page ended was moved or taken out', async () => {
    const { id } = await make()
    for (const letter of 'ABCDEFG') await add(id, await site.addVideo(ann, { title: letter }))
    type Paged = { videos: Video[]; videoCount: number; nextCursor: string | null }
    const page = (cursor: string | null = null) =>
      ask<Paged>(ann, 'playlist.get', { id, limit: 3, cursor })
    const first = await page()
    expect([titlesOf(first.videos), first.videoCount]).toEqual([['A', 'B', 'C'], 7])
    expect(titlesOf((await page(first.nextCursor)).videos)).toEqual(['D', 'E', 'F'])
    const [a, b, c] = first.videos.map((video) => ({ playlistId: id, videoId: video.id }))
    await ask(ann, 'playlist.removeVideo', a)
    await ask(ann, 'playlist.moveVideo', { ...b, toIndex: 5 })
    const next = await page(first.nextCursor)
    expect(titlesOf(next.videos)).toEqual(['D', 'E', 'F'])
    await ask(ann, 'playlist.removeVideo', c)
    const last = await page(next.nextCursor)
    expect([titlesOf(last.videos), last.nextCursor]).toEqual([['G', 'B'], null])
    const odd = { id, cursor: 'made-up' }
    expect(await statusOf(ann, 'playlist.get', odd)).toBe(400)
  })

  test('of one’s own say which of them hold a video', async () => {
    const [one, two] = [await make({ title: 'One' }), await make({ title: 'Two' })]
    const videoId = await site.addVideo(ann)
    await add(two.id, videoId)
    const own = await ask<Playlist[]>(ann, 'playlist.listOwn', { videoId })
    const holding = own.filter((playlist) => playlist.containsVideo).map(({ id }) => id)
    expect([own.length, holding]).toEqual([2, [two.id]])
    await ask(ann, 'playlist.delete', { id: one.id })
    expect(await statusOf(ann, 'playlist.get', { id: one.id })).toBe(404)
  })

  test('have one "Watch later" each, private and fixed', async () => {
    const videoId = await site.addVideo(ann, { title: 'Later' })
    expect(await ask(bob, 'playlist.watchLater')).toBeNull()
    const pending = await site.addVideo(ann, { contentApproved: 0 })
    expect(await statusOf(bob, 'playlist.addToWatchLater', { videoId: pending })).toBe(404)
    expect(await ask(bob, 'playlist.listOwn', {})).toEqual([])
    await ask(bob, 'playlist.addToWatchLater', { videoId })
    await ask(bob, 'playlist.addToWatchLater', { videoId })
    const later = await ask<Playlist>(bob, 'playlist.watchLater')
    expect(later).toMatchObject({
      kind: 'watch-later',
      videoCount: 1,
      videos: [{ title: 'Later' }],
    })
    expect(await ask(bob, 'playlist.listOwn', {})).toHaveLength(1)
    const { id } = later
    expect(await statusOf(bob, 'playlist.edit', { id, isPublic: true })).toBe(400)
    expect(await statusOf(bob, 'playlist.delete', { id })).toBe(400)
    expect(await statusOf(ann, 'playlist.get', { id })).toBe(404)
    await ask(bob, 'playlist.removeVideo', { playlistId: id, videoId })
    expect(await ask(bob, 'playlist.watchLater')).toMatchObject({ videos: [] })
  })
})

describe('the lists of one’s own', () => {
  test('the feed has what the channels one follows show everybody under their name', async () => {
    const carl = await site.addMember(`carl${ann.id}`)
    await ask(bob, 'subscription.create', { channelId: ann.id })
    await site.addVideo(ann, { title: 'Old', publishedAt: daysAgo(2) })
    await site.addVideo(ann, { title: 'New', publishedAt: daysAgo(1) })
    await site.addVideo(ann, { title: 'Anonymous', isAnonymous: 1 })
    await site.addVideo(ann, { title: 'Pending', contentApproved: 0 })
    await site.addVideo(carl, { title: 'A stranger’s' })
    expect(await list(bob, 'video.listSubscribed')).toEqual(['New', 'Old'])
    expect(await list(ann, 'video.listSubscribed')).toEqual([])
    expect(await ask(bob, 'subscription.channels')).toMatchObject([{ id: ann.id }])
    await ask(bob, 'subscription.delete', { channelId: ann.id })
    expect(await list(bob, 'video.listSubscribed')).toEqual([])
  })

  test('liked videos are those liked and visible, the latest liked first', async () => {
    const ids: Record<string, number> = {}
    for (const title of ['One', 'Two', 'Three', 'Gone', 'Disliked']) {
      ids[title] = await site.addVideo(ann, { title })
      await ask(bob, 'like.set', { videoId: ids[title], isLike: title !== 'Disliked' })
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await changeRows(site.db, 'videos', {
      where: { title: 'Gone' },
      values: { contentApproved: 0 },
    })
    await ask(bob, 'like.clear', { videoId: ids.Two })
    expect(await list(bob, 'video.listLiked')).toEqual(['Three', 'One'])
    const page = await ask<Listed>(bob, 'video.listLiked', { limit: 1 })
    expect(await list(bob, 'video.listLiked', { cursor: page.nextCursor })).toEqual(['One'])
  })
})
