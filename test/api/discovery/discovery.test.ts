import { beforeEach, describe, expect, test } from 'vitest'
import type { RecommendedVideo, Video } from '#shared/schemas/video.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRows, changeRows } from '#test/support/rows.ts'
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

describe('a view', () => {
  const send = async (as: TestMember | undefined, videoId: number, watchedSeconds: number) => {
    const input = { videoId, positionSeconds: watchedSeconds, watchedSeconds }
    return (await ask<{ viewCounted: boolean }>(as, 'history.report', input)).viewCounted
  }
  /** Watches for so many seconds, and reports it at the start and at the end. */
  const report = async (as: TestMember | undefined, videoId: number, watchedSeconds: number) => {
    expect(await send(as, videoId, 0)).toBe(false)
    site.passTime(watchedSeconds)
    return send(as, videoId, watchedSeconds)
  }
  const viewCount = async (id: number) =>
    (await ask<Video>(undefined, 'video.get', { id })).viewCount

  test.each([
    [60, 9.9, false],
    [60, 10, true],
    [12, 5.9, false],
    [12, 6, true],
    [0, 9.9, false],
    [0, 10, true],
  ])('of a video of %i s counts after %d s: %s', async (duration, watched, counts) => {
    const id = await site.addVideo(ann, { duration })
    expect(await report(bob, id, watched)).toBe(counts)
    expect(await viewCount(id)).toBe(counts ? 1 : 0)
  })

  test('counts once in six hours for a member, and for a visitor', async () => {
    const id = await site.addVideo(ann)
    for (const as of [bob, undefined]) {
      expect([await report(as, id, 10), await report(as, id, 10)]).toEqual([true, false])
    }
    const move = (hours: number) =>
      changeRows(site.db, 'views', {
        where: {},
        values: { viewedAt: new Date(Date.now() - hours * 3_600_000).toISOString() },
      })
    await move(5.99)
    expect(await report(bob, id, 10)).toBe(false)
    await move(6.01)
    expect([await report(bob, id, 10), await report(undefined, id, 10)]).toEqual([true, true])
    expect(await viewCount(id)).toBe(4)
  })

  test('never counts for its owner, nor by looking', async () => {
    const id = await site.addVideo(ann)
    expect(await report(ann, id, 100)).toBe(false)
    await ask(bob, 'video.get', { id })
    await site.get(`/api/videos/${id}`, { as: bob })
    expect(await viewCount(id)).toBe(0)
  })

  test('is never counted from more seconds than have passed since the first report', async () => {
    const id = await site.addVideo(ann, { duration: 60 })
    for (const as of [bob, undefined]) {
      expect(await send(as, id, 3600)).toBe(false)
      site.passTime(9)
      expect(await send(as, id, 3600)).toBe(false)
      site.passTime(1)
      expect(await send(as, id, 9.9)).toBe(false)
      expect(await send(as, id, 10)).toBe(true)
    }
  })

  test('leaves no place in the history before anything was played', async () => {
    const id = await site.addVideo(ann)
    await send(bob, id, 0)
    expect(await list(bob, 'history.list')).toEqual([])
  })

  describe('of a visitor', () => {
    const watchFrom = async (id: number, from: { address: string; browser: string }) => {
      const send = (watchedSeconds: number) =>
        site.app.inject({
          method: 'POST',
          url: '/trpc/history.report',
          payload: { videoId: id, positionSeconds: 0, watchedSeconds },
          headers: { 'user-agent': from.browser },
          remoteAddress: from.address,
        })
      await send(0)
      site.passTime(10)
      return (await send(10)).json().result.data.viewCounted as boolean
    }

    test('is distinguished by address and browser, of which nothing readable is stored', async () => {
      const id = await site.addVideo(ann)
      const counted: boolean[] = []
      for (const browser of ['Firefox', 'Chrome', 'Firefox']) {
        counted.push(await watchFrom(id, { address: '198.51.100.1', browser }))
      }
      counted.push(await watchFrom(id, { address: '198.51.100.2', browser: 'Firefox' }))
      expect(counted).toEqual([true, true, false, true])
      const keys = await site.db
        .selectFrom('views')
        .select('viewerKey')
        .where('videoId', '=', id)
        .execute()
      for (const { viewerKey } of keys) expect(viewerKey).toMatch(/^visitor-[\w-]{22}-[\w-]{11}$/)
    })

    test.each([
      ['an address', '198.51.100.7', '::ffff:198.51.100.7', '198.51.100.8'],
      ['a network of IPv6', '2001:db8::1', '2001:db8:0:0:aaaa::2', '2001:db8:0:1::1'],
    ])('counts at most five times from %s, whatever the browser', async (_, first, same, other) => {
      const id = await site.addVideo(ann)
      const counted: boolean[] = []
      for (let time = 0; time < 7; time++) {
        const address = time % 2 ? same : first
        counted.push(await watchFrom(id, { address, browser: `Made up ${time}` }))
      }
      expect(counted).toEqual([true, true, true, true, true, false, false])
      expect(await watchFrom(id, { address: other, browser: 'Made up 1' })).toBe(true)
      expect(await report(bob, id, 10)).toBe(true)
      const sixHoursAgo = new Date(Date.now() - 6.01 * 3_600_000).toISOString()
      await site.db.updateTable('views').set({ viewedAt: sixHoursAgo }).execute()
      expect(await watchFrom(id, { address: first, browser: 'Made up 6' })).toBe(true)
    })
  })
})

describe('what is shown unasked', () => {
  const recommended = async (id: number, as?: TestMember) =>
    titlesOf(await ask<Video[]>(as, 'video.recommended', { id }))

  test('beside a video are at most ten others, never itself and none that is invisible', async () => {
    const id = await site.addVideo(ann, { title: 'Itself', category: 'Rust' })
    await site.addVideo(ann, { title: 'Pending', category: 'Rust', contentApproved: 0 })
    await site.addVideo(ann, { title: 'Broken', category: 'Rust', processingState: 'failed' })
    expect(await recommended(id)).toEqual([])
    for (let index = 0; index < 12; index++) await site.addVideo(bob, { title: `Other ${index}` })
    for (const as of [undefined, ann, bob]) {
      const found = await recommended(id, as)
      expect(found).toHaveLength(10)
      expect(found.filter((title) => !title.startsWith('Other'))).toEqual([])
    }
  })

  test('beside a video the same game, tags, channel and what was watched next weigh more', async () => {
    const id = await site.addVideo(ann, { category: 'CS2', tags: '["ace","mirage"]' })
    const old = { publishedAt: daysAgo(90) }
    await site.addVideo(bob, { title: 'Nothing shared' })
    await site.addVideo(bob, { title: 'Same game', category: 'CS2', ...old })
    await site.addVideo(bob, {
      title: 'Game and tags',
      category: 'CS2',
      tags: '["Ace","MIRAGE"]',
      ...old,
    })
    await site.addVideo(ann, { title: 'Same channel', ...old })
    const next = await site.addVideo(bob, { title: 'Watched next', ...old })
    await addRows(site.db, 'watchedNext', { videoId: id, nextVideoId: next, count: 50 })
    expect(await recommended(id)).toEqual([
      'Game and tags',
      'Watched next',
      'Same game',
      'Same channel',
      'Nothing shared',
    ])
  })

  test('trending weighs recent views, likes and comments over age', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const add = async (
      title: string,
      fields: { days: number; views?: number; before?: boolean },
    ) => {
      const videoId = await site.addVideo(ann, {
        title,
        publishedAt: daysAgo(fields.days),
        viewCount: 9999,
      })
      const count = fields.views ?? 0
      const on = fields.before ? '2020-01-01' : day
      if (count > 0)
        await site.db.insertInto('dailyViews').values({ videoId, day: on, count }).execute()
      return videoId
    }
    await add('Old favourite', { days: 60, views: 90 })
    await add('Once seen by all', { days: 60, views: 9000, before: true })
    await add('Rising', { days: 1, views: 60 })
    const talked = await add('Talked about', { days: 1, views: 50 })
    for (const content of ['a', 'b', 'c'])
      await ask(bob, 'comment.create', { videoId: talked, content })
    await add('Quiet', { days: 1 })
    const trending = titlesOf(await ask<Video[]>(undefined, 'explore.trending', {}))
    // 'Quiet' and 'Once seen by all' had no view this week.
    expect(trending).toEqual(['Talked about', 'Rising', 'Old favourite'])
    expect(
      titlesOf(await ask<Video[]>(undefined, 'explore.trending', { category: 'GTA' })),
    ).toEqual([])
  })

  test('a small game has its own trending videos beside a big one', async () => {
    const publishedAt = daysAgo(1)
    const day = publishedAt.slice(0, 10)
    await site.addVideo(ann, { title: 'Quiet', category: 'GTA', publishedAt })
    const seen = await site.addVideo(ann, { title: 'Seen', category: 'GTA', publishedAt })
    await site.db.insertInto('dailyViews').values({ videoId: seen, day, count: 2 }).execute()
    const rows = Array.from({ length: 2300 }, (_, index) => ({
      ...{ userId: ann.id, mediaKey: `big-${index}`, title: 'Big', category: 'CS2' },
      ...{ publishedAt: daysAgo(0.5), processingState: 'ready' as const },
    }))
    const made: { id: number }[] = []
    for (let at = 0; at < rows.length; at += 500) {
      const some = rows.slice(at, at + 500)
      made.push(...(await site.db.insertInto('videos').values(some).returning('id').execute()))
    }
    for (let at = 0; at < made.length; at += 500) {
      const views = made.slice(at, at + 500).map(({ id }) => ({ videoId: id, day, count: 9 }))
      await site.db.insertInto('dailyViews').values(views).execute()
    }
    const found = await ask<Video[]>(undefined, 'explore.trending', { category: 'GTA' })
    expect(found.map(({ id }) => id)).toEqual([seen])
  })

  test('leaves out what one hid, until it is shown again', async () => {
    const id = await site.addVideo(ann, { title: 'Watched', category: 'Rust' })
    const hidden = await site.addVideo(ann, { title: 'Hidden', category: 'Rust' })
    const day = new Date().toISOString().slice(0, 10)
    await site.db.insertInto('dailyViews').values({ videoId: hidden, day, count: 1 }).execute()
    await ask(bob, 'video.hide', { id: hidden })
    await ask(bob, 'video.hide', { id: hidden })
    const shown = async (as?: TestMember) => [
      ...(await list(as, 'video.list')),
      ...(await list(as, 'video.listByCategory', { category: 'Rust' })),
      ...(await recommended(id, as)),
      ...titlesOf(await ask<Video[]>(as, 'explore.trending', {})),
    ]
    expect(await shown(bob)).not.toContain('Hidden')
    expect((await shown()).filter((title) => title === 'Hidden')).toHaveLength(4)
    expect(await list(bob, 'search.videos', { q: 'hidden' })).toEqual(['Hidden'])
    await ask(bob, 'video.unhide', { id: hidden })
    expect(await shown(bob)).toContain('Hidden')
  })

  test('each recommendation says why', async () => {
    const [cara, dan] = [
      await site.addMember(`cara${ann.id}`),
      await site.addMember(`dan${ann.id}`),
    ]
    const game = { category: 'Rust' }
    const id = await site.addVideo(ann, { title: 'Itself', ...game, tags: '["raid"]' })
    const next = await site.addVideo(cara, { title: 'Next', category: 'GTA' })
    await site.addVideo(ann, { title: 'Channel', category: 'GTA' })
    await site.addVideo(cara, { title: 'Tags', category: 'GTA', tags: '["raid"]' })
    await site.addVideo(cara, { title: 'Game', ...game })
    await site.addVideo(cara, { title: 'New', category: 'CS2' })
    await site.addVideo(dan, { title: 'Followed', ...game })
    await site.addVideo(dan, { title: 'Anonymous', ...game, isAnonymous: 1 })
    await addRows(site.db, 'watchedNext', { videoId: id, nextVideoId: next, count: 3 })
    await ask(bob, 'subscription.create', { channelId: dan.id })
    const reasons = async (as?: TestMember) => {
      const found = await ask<RecommendedVideo[]>(as, 'video.recommended', { id })
      return Object.fromEntries(found.map(({ title, reason }) => [title, reason]))
    }
    const plain = {
      ...{ Next: 'watched-next', Channel: 'channel', Tags: 'tags', Game: 'game', New: null },
      Anonymous: 'game',
    }
    expect(await reasons()).toEqual({ ...plain, Followed: 'game' })
    expect(await reasons(bob)).toEqual({ ...plain, Followed: 'following' })
  })

  test('what was liked most in the last week comes first, and nothing older', async () => {
    const add = (title: string, fields = {}) => site.addVideo(ann, { title, ...fields })
    const [twice, once, old, hidden] = [
      await add('Twice'),
      await add('Once'),
      await add('Old like'),
      await add('Hidden', { contentApproved: 0 }),
    ]
    await add('Never')
    const like = (member: TestMember, videoId: number, createdAt = daysAgo(1)) =>
      addRows(site.db, 'likes', { userId: member.id, videoId, isLike: 1, createdAt })
    await like(bob, twice)
    await like(ann, twice)
    await like(bob, once)
    await like(bob, old, daysAgo(8))
    await like(bob, hidden)
    expect(titlesOf(await ask<Video[]>(undefined, 'explore.loved'))).toEqual(['Twice', 'Once'])
  })

  test('what one began and did not finish can be watched on, the latest first', async () => {
    const watch = async (title: string, positionSeconds: number, fields = {}) => {
      const videoId = await site.addVideo(ann, { title, duration: 100, ...fields })
      const watchedAt = new Date(Date.now() + videoId).toISOString()
      await addRows(site.db, 'history', { userId: bob.id, videoId, positionSeconds, watchedAt })
    }
    await watch('First', 5)
    await watch('Just opened', 4.9)
    await watch('Nearly over', 90)
    await watch('Second', 89.9)
    await watch('Hidden', 50, { contentApproved: 0 })
    expect(titlesOf(await ask<Video[]>(bob, 'history.unfinished'))).toEqual(['Second', 'First'])
    expect(await ask<Video[]>(ann, 'history.unfinished')).toEqual([])
  })

  test('an admin puts a notice and a public video at the top, and takes them away', async () => {
    const admin = await site.addMember(`admin${ann.id}`, { isAdmin: true })
    const id = await site.addVideo(ann, { title: 'Pinned' })
    const pending = await site.addVideo(ann, { title: 'Pending', contentApproved: 0 })
    const pinned = async () => {
      const found = await ask<{ notice: string; video: Video | null }>(bob, 'explore.pinned')
      return [found.notice, found.video?.title ?? null]
    }
    await ask(admin, 'site.edit', { notice: 'Cup on Friday' })
    await ask(admin, 'moderation.pinVideo', { id })
    expect(await pinned()).toEqual(['Cup on Friday', 'Pinned'])
    expect(await statusOf(admin, 'moderation.pinVideo', { id: pending })).toBe(409)
    expect(await statusOf(admin, 'moderation.pinVideo', { id: 99_999 })).toBe(404)
    expect(await statusOf(admin, 'site.edit', { notice: 'x'.repeat(501) })).toBe(400)
    expect(await pinned()).toEqual(['Cup on Friday', 'Pinned'])
    await ask(admin, 'moderation.hideVideo', { id, reason: 'Not ours' })
    expect(await pinned()).toEqual(['Cup on Friday', null])
    await ask(admin, 'moderation.unhideVideo', { id })
    expect(await pinned()).toEqual(['Cup on Friday', 'Pinned'])
    await ask(ann, 'video.delete', { id })
    await ask(admin, 'site.edit', { notice: '' })
    expect(await pinned()).toEqual(['', null])
  })

  test('a search finds channels by their names, and none that has nothing to show', async () => {
    await changeRows(site.db, 'users', {
      where: { id: ann.id },
      values: { displayName: `Quakelord ${ann.id}` },
    })
    await site.addVideo(ann, { title: 'Anything' })
    await changeRows(site.db, 'users', {
      where: { id: bob.id },
      values: { displayName: `Quakehidden ${ann.id}` },
    })
    await site.addVideo(bob, { title: 'Anonymous', isAnonymous: 1 })
    await site.index()
    const found = await ask<{ displayName: string }[]>(undefined, 'search.channels', { q: 'quake' })
    expect(found.map(({ displayName }) => displayName)).toEqual([`Quakelord ${ann.id}`])
  })

  test('tags and games count what everybody may see', async () => {
    await site.addVideo(ann, { tags: '["Ace","Raid"]', category: 'Rust' })
    await site.addVideo(ann, { tags: '["ace"]', category: 'Rust' })
    await site.addVideo(ann, { tags: '["secret"]', category: 'Rust', contentApproved: 0 })
    expect(await ask(undefined, 'explore.tags')).toEqual([
      { tag: 'ace', count: 2 },
      { tag: 'raid', count: 1 },
    ])
    const games = await ask<{ name: string; videoCount: number }[]>(undefined, 'explore.games')
    expect(games).toHaveLength(8)
    expect(games[0]).toMatchObject({ name: 'Rust', videoCount: 2 })
  })

  test('the tile and the page of a game count the same videos, those that the viewer finds', async () => {
    const category = 'Tarkov'
    const counts = async (as?: TestMember) => {
      const games = await ask<{ name: string; videoCount: number }[]>(as, 'explore.games')
      const page = await ask<{ videoCount: number }>(as, 'home.game', { category })
      return [games.find(({ name }) => name === category)?.videoCount, page.videoCount]
    }
    const first = await site.addVideo(ann, { category })
    await site.addVideo(ann, { category, visibility: 'members' })
    await site.addVideo(ann, { category, visibility: 'private' })
    await site.addVideo(ann, { category, visibility: 'unlisted' })
    expect([await counts(), await counts(bob)]).toEqual([
      [1, 1],
      [2, 2],
    ])
    await ask(bob, 'video.hide', { id: first })
    expect(await counts(bob)).toEqual([1, 1])
    await site.db
      .updateTable('categoryTotals')
      .set({ publicVideos: 250 })
      .where('category', '=', category)
      .execute()
    expect(await counts(bob)).toEqual([250, 250])
  })
})
