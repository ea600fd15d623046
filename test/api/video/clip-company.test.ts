import { beforeEach, describe, expect, test } from 'vitest'
import type { Clip, ClipsAround } from '#shared/schemas/clip.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows } from '#test/support/rows.ts'
import { setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ann, bob, carl } = setUpMembers(site, ['ann', 'bob', 'carl'])
const { ask, statusOf } = callsOf(site)
const EVENING = '2026-05-01T20:00:00.000Z'
let video: number

beforeEach(async () => {
  await site.db.deleteFrom('videos').execute()
  video = await site.addVideo(ann, {
    ...{ title: 'Friday night', category: 'Rust', duration: 60, publishedAt: EVENING },
  })
})

const clipOf = (videoId: number, title: string, likeCount = 0) =>
  addRow(site.db, 'clips', {
    ...{ videoId, userId: ann.id, title, foldedTitle: title, likeCount },
    ...{ startSeconds: 1, endSeconds: 4, createdAt: EVENING },
  })

describe('the clips around a clip', () => {
  const around = async (id: number, member?: typeof ann) => {
    const { evening, game } = await ask<ClipsAround>(member, 'clip.around', { id })
    const titles = (clips: Clip[]) => clips.map(({ title }) => title)
    return [titles(evening), titles(game)]
  }

  test('are from other videos of the same evening and game, and the most liked come first', async () => {
    const id = await clipOf(video, 'This one')
    await clipOf(video, 'Of the same video')
    const later = { title: 'Later', publishedAt: '2026-05-01T23:00:00.000Z' }
    const sameNight = await site.addVideo(bob, { ...later, category: 'CS2' })
    const alsoRust = await site.addVideo(bob, { ...later, category: 'Rust' })
    const old = { title: 'Old', category: 'Rust', publishedAt: '2025-01-01T00:00:00.000Z' }
    const oldRust = await site.addVideo(bob, old)
    const oldOther = await site.addVideo(bob, { ...old, category: 'CS2' })
    await clipOf(sameNight, 'Night', 1)
    await clipOf(alsoRust, 'Night and Rust', 5)
    await clipOf(oldRust, 'Rust of old')
    await clipOf(oldRust, 'Loved', 3)
    await clipOf(oldOther, 'Neither')
    expect(await around(id)).toEqual([
      ['Night and Rust', 'Night'],
      ['Loved', 'Rust of old'],
    ])
  })

  test('include nothing that the viewer may not see or has hidden', async () => {
    const id = await clipOf(video, 'This one')
    const near = { category: 'Rust', publishedAt: EVENING }
    for (const visibility of ['public', 'members', 'unlisted', 'private'] as const) {
      const one = await site.addVideo(bob, { ...near, title: visibility, visibility })
      await clipOf(one, visibility)
    }
    for (const [index, owner] of [bob, carl].entries()) {
      const tag = `R${carl.id}${index}`
      const form = { name: 'Owls', tag, colour: 'red', emblem: 'moon', joining: 'open' }
      const { id: squadId } = await ask<{ id: number }>(owner, 'squad.create', form)
      const title = owner === carl ? 'own squad' : 'other squad'
      const level = { visibility: 'private', squadId } as const
      await clipOf(await site.addVideo(bob, { ...near, title, ...level }), title)
    }
    expect(await around(id)).toEqual([['public'], []])
    expect(await around(id, carl)).toEqual([['own squad', 'members', 'public'], []])
    expect(await around(id, ann)).toEqual([['members', 'public'], []])
    const hidden = await site.addVideo(bob, { ...near, title: 'Hidden' })
    await clipOf(hidden, 'Hidden')
    const row = { userId: carl.id, videoId: hidden }
    await addRows(site.db, 'hiddenVideos', row)
    expect(await around(id, carl)).toEqual([['own squad', 'members', 'public'], []])
    expect(await statusOf(undefined, 'clip.around', { id: 999_999 })).toBe(404)
  })
})

describe('the titles suggested for a clip', () => {
  const suggest = async (member: typeof ann, range = { startSeconds: 10, endSeconds: 25 }) =>
    (await ask<{ titles: string[] }>(member, 'clip.suggestTitles', { videoId: video, ...range }))
      .titles

  test('come from visible comments about the moment, and the most liked come first', async () => {
    const say = (content: string, likeCount: number, withheld: 'held' | null = null) =>
      addRow(site.db, 'comments', {
        ...{ videoId: video, userId: bob.id, content, likeCount, withheld, createdAt: EVENING },
      })
    await say('0:12 nice', 1)
    await say('0:15 the last bullet!', 4)
    await say('0:14 rude words', 9, 'held')
    await say('0:50 later', 9)
    expect(await suggest(carl)).toEqual(['The last bullet', 'Nice', 'Friday night'])
    const boss = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    await ask(boss, 'moderation.ban', { userId: bob.id, reason: 'A test' })
    expect(await suggest(carl)).toEqual(['Friday night', 'Rust clip'])
  })

  test('name other players, and use markers of the recorder only for the owner of the video', async () => {
    await ask(ann, 'participant.add', { videoId: video, userId: bob.id })
    await addRows(site.db, 'moments', {
      ...{ videoId: video, userId: ann.id, source: 'chapter', atSeconds: 20, weight: 1 },
      ...{ title: 'Boss fight', createdAt: EVENING },
    })
    expect(await suggest(ann)).toEqual(['Boss fight', 'Friday night', `Rust with ${bob.username}`])
    expect(await suggest(carl)).toEqual(['Friday night', `Rust with ${bob.username}`, 'Rust clip'])
    expect(await suggest(ann, { startSeconds: 30, endSeconds: 40 })).not.toContain('Boss fight')
  })

  test('are available only to members who may see the video', async () => {
    const range = { startSeconds: 1, endSeconds: 4 }
    const input = { videoId: video, ...range }
    expect(await statusOf(undefined, 'clip.suggestTitles', input)).toBe(401)
    const secret = await site.addVideo(ann, { visibility: 'private' })
    expect(await statusOf(bob, 'clip.suggestTitles', { videoId: secret, ...range })).toBe(404)
    expect(await statusOf(bob, 'clip.suggestTitles', { ...input, startSeconds: -1 })).toBe(400)
  })
})
