import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { removeBannedMembers } from '#server/desk/moderation/member-moderation.service.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { addSharedVideo, openSiteWithPages } from '#test/support/shared-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const PUBLIC = 'https://clips.example.org'
const DAY_MS = 86_400_000

let site: Awaited<ReturnType<typeof openSiteWithPages>>
let admin: TestMember
let ann: TestMember
let bob: TestMember
let round = 0
beforeAll(async () => {
  site = await openSiteWithPages({ publicUrl: PUBLIC })
  admin = await site.addMember('admin', { isAdmin: true })
  bob = await site.addMember('bob')
})
afterAll(() => site.close())
beforeEach(async () => {
  round++
  ann = await addMemberWithPassword(site, `ann${round}`)
})

const ask = <Output>(as: TestMember | undefined, name: string, input?: object) =>
  answerOf<Output>(site, { as, name, input })

/** Everything outside that speaks of a member, with what each answers a visitor and another member. */
async function shareEverything() {
  const video = await addSharedVideo(site, ann, { title: `Wombat ${round}`, category: 'Tarkov' })
  const list = { title: 'Mine', isPublic: true }
  const playlist = await ask<{ id: number }>(ann, 'playlist.create', list)
  await ask(ann, 'playlist.addVideo', { playlistId: playlist.id, videoId: video.id })
  const page = `/video/${video.id}`
  const own = [
    page,
    `/embed/${video.id}`,
    `/oembed?url=${PUBLIC}${page}`,
    `/oembed?format=xml&url=${PUBLIC}/embed/${video.id}`,
    `/api/videos/${video.id}`,
    `/api/videos/${video.id}/comments`,
    `/api/users/${ann.id}`,
    `/profile/${ann.id}`,
    `/playlist/${playlist.id}`,
    `/feeds/channel/${ann.id}.xml`,
    video.video,
    video.share,
    video.poster,
  ]
  const lists = [
    '/feeds/videos.xml',
    '/feeds/game/Tarkov.xml',
    `/feeds/search.xml?q=wombat+${round}`,
    '/sitemap.xml',
    '/api/videos',
    `/api/search?q=wombat+${round}`,
    `/playlist/${playlist.id}`,
  ]
  const mark = new RegExp(`/video/${video.id}<|Wombat ${round}`)
  return async () => {
    const statuses = new Set<string>()
    for (const as of [undefined, bob])
      for (const url of own) {
        const { statusCode } = await site.get(url, { ...(as && { as }) })
        statuses.add(`${statusCode} ${url}`)
      }
    const naming: string[] = []
    for (const url of lists) {
      const { body } = await site.get(url)
      if (mark.test(body)) naming.push(url)
    }
    return { own, lists, statuses: [...statuses], naming }
  }
}

type Look = Awaited<ReturnType<typeof shareEverything>>

async function expectOpen(look: Look) {
  const { own, lists, statuses, naming } = await look()
  expect(statuses).toEqual(own.map((url) => `200 ${url}`))
  expect(naming).toEqual(lists)
}

async function expectGone(look: Look) {
  const { own, statuses, naming } = await look()
  expect(statuses).toEqual(own.map((url) => `404 ${url}`))
  expect(naming).toEqual([])
}

test('a banned member’s media, embeds, feeds and links answer 404 at once, and come back in 30 days', async () => {
  const look = await shareEverything()
  await expectOpen(look)
  const ban = { userId: ann.id, reason: 'Spam', deletesContent: true }
  await ask(admin, 'moderation.ban', ban)
  await expectGone(look)
  await removeBannedMembers(site.deps, new Date(Date.now() + 29 * DAY_MS))
  await ask(admin, 'moderation.unban', { userId: ann.id })
  await expectOpen(look)
  await ask(admin, 'moderation.ban', ban)
  await removeBannedMembers(site.deps, new Date(Date.now() + 31 * DAY_MS))
  await expectGone(look)
})

test('so do those of a member who deleted their account', async () => {
  const look = await shareEverything()
  await expectOpen(look)
  await ask(ann, 'settings.deleteAccount', { password: PASSWORD })
  await expectGone(look)
})
