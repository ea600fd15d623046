import { beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type {
  GamePage,
  HomeShelves,
  SuggestedChannel,
  Tonight,
  Visit,
} from '#shared/schemas/home.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows, changeRows } from '#test/support/rows.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { addMember, addVideos } from '#test/support/site-rows.ts'
import type { TestMember } from '#test/support/test-site.ts'

const MINUTE_MS = 60_000

const site = setUpTestSite()
const admin = setUpAdmin(site)
const { ask, refusal } = callsOf(site)
const shelves = (as?: TestMember) => ask<HomeShelves>(as, 'home.shelves')
const tonightOf = (as?: TestMember) => ask<Tonight | null>(as, 'home.tonight')
const gamePage = (category: string, as?: TestMember) => ask<GamePage>(as, 'home.game', { category })

let mia: number
let tom: number
let bob: TestMember
let rust: number[]

beforeAll(async () => {
  mia = await addMember(site.db, 'Mia')
  tom = await addMember(site.db, 'Tom')
  bob = await site.addMember('bob')
  const match = (index: number) => ({
    ...{ userId: index % 2 ? tom : mia, title: `Raid ${index}`, category: 'Rust' },
    thumbnailUrl: index === 3 ? '/media/a/poster.jpg' : null,
  })
  rust = await addVideos(
    site.db,
    Array.from({ length: 6 }, (_, index) => match(index)),
  )
})

const like = (videoId: number, ...userIds: number[]) =>
  addRows(
    site.db,
    'likes',
    userIds.map((userId) => ({ userId, videoId, isLike: 1 as const, createdAt: timestamp() })),
  )
const addClip = (
  videoId: number,
  title: string,
  counts: { likeCount?: number; viewCount?: number } = {},
) =>
  addRow(site.db, 'clips', {
    ...{ videoId, userId: tom, title, foldedTitle: title.toLowerCase() },
    ...{ startSeconds: 0, endSeconds: 5, createdAt: timestamp(), fileState: 'none', ...counts },
  })

describe('the top of the home page', () => {
  test('is a clip that was seen, else the most liked video, else the newest video of a quiet site', async () => {
    expect(await tonightOf()).toMatchObject({
      ...{ kind: 'video', isNewest: true, video: { id: rust[0] } },
    })
    const squad = { name: 'Owls', tag: 'OWL', colour: 'violet', emblem: 'moon', joining: 'open' }
    const { id: squadId } = await ask<{ id: number }>(bob, 'squad.create', squad)
    const ours = await site.addVideo(bob, { visibility: 'private', squadId })
    expect(await tonightOf(bob)).toMatchObject({ isNewest: true, video: { id: rust[0] } })
    await ask(bob, 'video.edit', { id: ours, visibility: 'private' })
    await like(rust[2] ?? 0, mia, tom)
    await like(rust[4] ?? 0, mia)
    expect(await tonightOf()).toMatchObject({
      ...{ kind: 'video', isNewest: false, video: { id: rust[2] } },
    })
    expect((await shelves()).loved.map(({ id }) => id)).toEqual([rust[2], rust[4]])
    await addClip(rust[1] ?? 0, 'Nobody saw it')
    expect(await tonightOf()).toMatchObject({ kind: 'video' })
    await addClip(rust[1] ?? 0, 'Two friends saw it', { viewCount: 2 })
    const show = (likeCount: number, viewCount: number) =>
      site.db
        .updateTable('videos')
        .set({ likeCount, viewCount })
        .where('id', '=', rust[2] ?? 0)
        .execute()
    await show(1, 1)
    expect(await tonightOf(bob)).toMatchObject({ kind: 'clip' })
    // A video with more than three times the points of the clip comes first.
    await show(1, 2)
    expect(await tonightOf(bob)).toMatchObject({ kind: 'video', video: { id: rust[2] } })
    await show(20, 900)
    const best = await addClip(rust[1] ?? 0, 'Ace', { likeCount: 3 })
    expect(await tonightOf(bob)).toMatchObject({ kind: 'clip', clip: { id: best } })
  })

  test('plays the smallest file, and none that is too large', async () => {
    const fileOf = async () => (await tonightOf())?.file
    const videoId =
      (await addVideos(site.db, [{ userId: mia, title: 'Files', duration: 60 }]))[0] ?? 0
    await like(videoId, mia, tom, bob.id)
    const clip = site.db.updateTable('clips')
    const before = await site.db
      .selectFrom('clips')
      .select(['id', 'viewCount', 'likeCount'])
      .execute()
    await clip.set({ viewCount: 0, likeCount: 0 }).execute()
    expect(await fileOf()).toBeNull()
    const add = (name: string, kind: 'video' | 'rendition' | 'sound', bytes: number) =>
      addRows(site.db, 'mediaFiles', [{ videoId, name, kind, bytes }])
    await add('video.mp4', 'video', 90_000_000)
    expect(await fileOf()).toBeNull()
    await add('720p.mp4', 'rendition', 40_000_000)
    await add('480p.mp4', 'rendition', 3_000_000)
    await add('sound.mp4', 'sound', 100_000)
    expect(await fileOf()).toMatchObject({ bytes: 3_000_000, endSeconds: 30 })
    expect((await fileOf())?.url).toMatch(/480p\.mp4$/)
    const clipId = await addClip(videoId, 'Whole', { likeCount: 9 })
    await site.db
      .updateTable('clips')
      .set({ startSeconds: 40, endSeconds: 50 })
      .where('id', '=', clipId)
      .execute()
    expect(await tonightOf()).toMatchObject({ kind: 'clip', file: { startSeconds: 40 } })
    await changeRows(site.db, 'clips', {
      where: { id: clipId },
      values: { shareFile: 'clip.mp4', fileState: 'made' },
    })
    await addRows(site.db, 'mediaFiles', [
      { videoId, name: 'clip.mp4', kind: 'share', bytes: 2_000_000 },
    ])
    expect(await fileOf()).toMatchObject({ bytes: 2_000_000, startSeconds: 0, endSeconds: 10 })
    await site.db.deleteFrom('videos').where('id', '=', videoId).execute()
    for (const { id, ...values } of before) {
      await changeRows(site.db, 'clips', { where: { id }, values })
    }
  })

  test('is chosen from what the viewer may see', async () => {
    const change = { visibility: 'members' as const }
    const [, clipped = 0, loved = 0] = rust
    await site.db.updateTable('videos').set(change).where('id', 'in', [clipped, loved]).execute()
    expect(await tonightOf()).toMatchObject({ kind: 'video', video: { id: rust[4] } })
    expect(await tonightOf(bob)).toMatchObject({ kind: 'clip' })
    await site.db
      .updateTable('videos')
      .set({ visibility: 'public' })
      .where('id', 'in', [clipped, loved])
      .execute()
  })
})

test('the shelves show the most watched games of the week', async () => {
  const day = timestamp().slice(0, 10)
  const views = rust.map((videoId, index) => ({ videoId, day, count: 10 - index }))
  await addRows(site.db, 'dailyViews', views.slice(0, 3))
  // Counting views does not clear the answers kept for visitors, so these may be a second old.
  expect((await shelves(bob)).games).toEqual([])
  await addRows(site.db, 'dailyViews', views.slice(3))
  const { games } = await shelves(bob)
  expect(games).toMatchObject([{ name: 'Rust' }])
  expect(games[0]?.videos).toHaveLength(6)
})

describe('people to follow', () => {
  const names = async (as: TestMember) =>
    (await ask<SuggestedChannel[]>(as, 'home.people')).map(({ displayName }) => displayName)

  test('are those who posted last, but not anonymously or for others only, and not oneself', async () => {
    expect(await names(bob)).toEqual(['Mia', 'Tom'])
    const own = await site.addVideo(bob)
    expect(await names(bob)).toEqual(['Mia', 'Tom'])
    await site.db.deleteFrom('videos').where('id', '=', own).execute()
    const ofMia = () => site.db.updateTable('videos').where('userId', '=', mia)
    await ofMia().set({ isAnonymous: 1 }).execute()
    expect(await names(bob)).toEqual(['Tom'])
    await ofMia().set({ isAnonymous: 0, visibility: 'private' }).execute()
    expect(await names(bob)).toEqual(['Tom'])
    await ofMia().set({ visibility: 'public' }).execute()
  })

  test('are suggested only to members who follow nobody', async () => {
    await ask(bob, 'subscription.create', { channelId: tom })
    expect(await names(bob)).toEqual([])
    await ask(bob, 'subscription.delete', { channelId: tom })
    expect(await names(bob)).toEqual(['Mia', 'Tom'])
  })
})

describe('a visit', () => {
  const seen = (minutesAgo: number) =>
    site.db
      .updateTable('visits')
      .set({ seenAt: timestamp(new Date(Date.now() - minutesAgo * MINUTE_MS)) })
      .where('userId', '=', bob.id)
      .execute()
  const visit = () => ask<Visit | null>(bob, 'home.visit')
  const stored = () =>
    site.db.selectFrom('visits').selectAll().where('userId', '=', bob.id).executeTakeFirstOrThrow()

  test('shows who has posted since the previous visit, and lasts until a break', async () => {
    expect(await visit()).toBeNull()
    // There is no earlier visit during the first one, however long it lasts.
    await seen(20)
    expect(await visit()).toBeNull()
    expect(await stored()).toMatchObject({ previousAt: null })
    await seen(40)
    await site.addVideo(bob)
    const found = await visit()
    expect(found?.people.map(({ displayName }) => displayName)).toEqual(['Mia', 'Tom'])
    expect(found?.peopleCount).toBe(2)
    expect(await visit()).toEqual(found)
    await seen(29)
    expect((await visit())?.since).toBe(found?.since)
  })

  test('ignores anonymous posts and hidden, private or unlisted videos', async () => {
    await site.db.updateTable('videos').set({ isAnonymous: 1 }).where('userId', '=', mia).execute()
    const levels = ['private', 'unlisted'] as const
    for (const [index, visibility] of levels.entries()) {
      const id = rust[index * 2 + 1] ?? 0
      await site.db.updateTable('videos').set({ visibility }).where('id', '=', id).execute()
    }
    // Bob hides the only video of Tom that is still listed.
    await ask(bob, 'video.hide', { id: rust[5] })
    expect(await visit()).toMatchObject({ people: [], peopleCount: 0 })
    await ask(bob, 'video.unhide', { id: rust[5] })
    expect((await visit())?.people.map(({ displayName }) => displayName)).toEqual(['Tom'])
    await site.db
      .updateTable('videos')
      .set({ visibility: 'public', isAnonymous: 0 })
      .where('id', 'in', rust)
      .execute()
    await site.db.deleteFrom('hiddenVideos').execute()
  })

  test('is stored at most once in five minutes', async () => {
    await seen(4)
    const before = await stored()
    await visit()
    expect(await stored()).toEqual(before)
    await seen(6)
    await visit()
    const after = await stored()
    expect(Date.parse(after.seenAt)).toBeGreaterThan(Date.parse(before.seenAt))
    expect(after).toMatchObject({ startedAt: before.startedAt, previousAt: before.previousAt })
  })

  test('is deleted with the member', async () => {
    await site.db.deleteFrom('users').where('id', '=', bob.id).execute()
    expect(await site.db.selectFrom('visits').selectAll().execute()).toEqual([])
  })
})

test('the page of a game has its picture, best clips and players', async () => {
  const page = await gamePage('Rust')
  expect(page).toMatchObject({
    ...{ name: 'Rust', isArchived: false, videoCount: 6, peopleCount: 2 },
    picture: { url: '/media/a/poster.jpg', isArt: false },
  })
  expect(page.clips.map(({ title }) => title)).toEqual([
    'Ace',
    'Two friends saw it',
    'Nobody saw it',
  ])
  expect(page.people.map(({ displayName }) => displayName)).toEqual(['Mia', 'Tom'])
  // Members who are named in a video play the game too, unless they are banned.
  const [kim, zoe] = [await addMember(site.db, 'Kim'), await addMember(site.db, 'Zoe')]
  await addRows(site.db, 'participants', [
    { videoId: rust[0] ?? 0, userId: kim, state: 'named' },
    { videoId: rust[0] ?? 0, userId: zoe, state: 'named' },
    { videoId: rust[1] ?? 0, userId: mia, state: 'named' },
    { videoId: rust[1] ?? 0, userId: admin.id, state: 'left' },
  ])
  await changeRows(site.db, 'users', { where: { id: zoe }, values: { bannedAt: timestamp() } })
  const joined = await gamePage('Rust')
  expect(joined.people.map(({ displayName }) => displayName)).toEqual(['Mia', 'Kim', 'Tom'])
  expect(joined.peopleCount).toBe(3)
  expect(await gamePage('GTA')).toMatchObject({
    ...{ videoCount: 0, picture: null, clips: [], people: [], peopleCount: 0 },
  })
  expect(await refusal(admin, 'home.game', { category: 'Chess' })).toMatch(/^400 /)
})
