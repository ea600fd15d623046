import { beforeAll, describe, expect, test } from 'vitest'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { owner, member, named } = setUpFileMembers(site, ['owner', 'member', 'named'])
const admin = setUpAdmin(site)
let id: number

beforeAll(async () => {
  const path = `${site.dataFolder}/clip.mp4`
  await makeClip({ path, seconds: 1 })
  const uploadId = await sendFile({ site, as: owner }, { path })
  id = (await complete({ site, as: owner }, { uploadId })).json().videoId
  await site.db.insertInto('videoMembers').values({ videoId: id, userId: named.id }).execute()
})

const callers = () => [undefined, member, named, owner, admin]

const edit = (change: object, as: TestMember = owner) =>
  site.patch(`/api/videos/${id}`, { payload: change, as })

const get = (url: string, as?: TestMember) => site.get(url, { ...(as && { as }) })

const videoUrl = async (): Promise<string> =>
  (await get(`/api/videos/${id}`, owner)).json().videoUrl

const LEVELS: [Visibility, opened: string, listed: string][] = [
  ['public', '200 200 200 200 200', 'yes yes yes yes yes'],
  ['members', '404 200 200 200 200', 'no yes yes yes yes'],
  ['unlisted', '200 200 200 200 200', 'no no no no no'],
  ['private', '404 404 200 200 200', 'no no no no no'],
]

describe.each(LEVELS)('a video for %s', (visibility, opened, listed) => {
  beforeAll(async () => {
    const answer = await edit({ visibility })
    expect(answer.json()).toMatchObject({ id, visibility })
  })

  test(`opens for visitor, member, named member, owner and admin: ${opened}`, async () => {
    const url = await videoUrl()
    for (const address of [`/api/videos/${id}`, url]) {
      const answers = await Promise.all(callers().map((as) => get(address, as)))
      expect(answers.map(({ statusCode }) => statusCode).join(' ')).toBe(opened)
    }
  })

  test(`is in the lists of: ${listed}`, async () => {
    const lists = await Promise.all(callers().map((as) => get('/api/videos', as)))
    const found = lists.map((list) => list.body.includes(`"id":${id},`))
    expect(found.map((one) => (one ? 'yes' : 'no')).join(' ')).toBe(listed)
  })

  test('may be cached by others than browsers for a minute, and only while it is public', async () => {
    const { headers } = await get(await videoUrl(), owner)
    expect(headers['cache-control']).toBe(
      visibility === 'public'
        ? 'public, max-age=31536000, s-maxage=60, immutable'
        : 'private, no-cache',
    )
  })
})

test('the addresses of the files change when fewer may have them, and no sooner', async () => {
  await edit({ visibility: 'public' })
  const first = await videoUrl()
  await edit({ title: 'Another title' })
  expect(await videoUrl()).toBe(first)
  await edit({ visibility: 'members' })
  const second = await videoUrl()
  expect(second).not.toBe(first)
  expect((await get(first, owner)).statusCode).toBe(404)
  expect((await get(second, member)).statusCode).toBe(200)
  const playback = (await get(`/api/videos/${id}`, member)).json()
  expect(JSON.stringify(playback)).not.toContain(first.split('/')[2])
  await edit({ visibility: 'public' })
  expect(await videoUrl()).toBe(second)
})

test.each([
  ['public', 'unlisted'],
  ['unlisted', 'members'],
  ['members', 'private'],
  ['public', 'private'],
] as const)('from %s to %s, every old address of a file is dead at once', async (from, to) => {
  await edit({ visibility: from })
  const files = async () => {
    const { videoUrl, thumbnailUrl, cardUrl } = (await get(`/api/videos/${id}`, owner)).json()
    return [videoUrl, thumbnailUrl, cardUrl].filter((url) => url !== null) as string[]
  }
  const before = await files()
  await edit({ visibility: to })
  const after = await files()
  expect(before.length).toBeGreaterThan(1)
  expect(after.filter((url) => before.includes(url))).toEqual([])
  for (const as of callers()) {
    const answers = await Promise.all(before.map((url) => get(url, as)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(before.map(() => 404))
  }
  const cached = await Promise.all(after.map((url) => get(url, owner)))
  expect(cached.map(({ headers }) => headers['cache-control'])).toEqual(
    after.map(() => 'private, no-cache'),
  )
})

test('only its owner chooses, of the four levels', async () => {
  await edit({ visibility: 'public' })
  const others = await Promise.all([member, admin].map((as) => edit({ visibility: 'private' }, as)))
  expect(others.map(({ statusCode }) => statusCode)).toEqual([403, 403])
  expect((await edit({ visibility: 'friends' })).statusCode).toBe(400)
})

test('an upload is as the uploader says, else as the member wants it, else as the site does', async () => {
  const path = `${site.dataFolder}/other.mp4`
  await makeClip({ path, seconds: 1 })
  const upload = async (metadata: object) => {
    const uploadId = await sendFile({ site, as: owner }, { path, metadata })
    const { videoId } = (await complete({ site, as: owner }, { uploadId })).json()
    return (await get(`/api/videos/${videoId}`, owner)).json().visibility
  }
  expect(await upload({})).toBe('public')
  await site.db.updateTable('siteSettings').set({ defaultVisibility: 'members' }).execute()
  expect(await upload({})).toBe('members')
  const own = { defaultVisibility: 'unlisted' as const }
  await site.db.updateTable('users').set(own).where('id', '=', owner.id).execute()
  expect(await upload({})).toBe('unlisted')
  expect(await upload({ visibility: 'private' })).toBe('private')
  await site.db.updateTable('siteSettings').set({ defaultVisibility: 'public' }).execute()
})

test('a site for members shows visitors nothing but the way in', async () => {
  await edit({ visibility: 'public' })
  await site.db.updateTable('siteSettings').set({ audience: 'members' }).execute()
  const media = await videoUrl()
  const [list, one, file, feed, sitemap, channel, embed, oembed] = await Promise.all([
    get('/api/videos'),
    get(`/api/videos/${id}`),
    get(media),
    get('/feeds/videos.xml'),
    get('/sitemap.xml'),
    get(`/feeds/channel/${owner.id}.xml`),
    get(`/embed/${id}`),
    get(`/oembed?url=http://localhost/video/${id}`),
  ])
  expect([list, one].map(({ statusCode }) => statusCode)).toEqual([401, 401])
  expect(list.body).toBe('Please sign in first.')
  expect([file, channel, embed, oembed].map(({ statusCode }) => statusCode)).toEqual([
    404, 404, 404, 404,
  ])
  expect(feed.body).not.toContain('<item>')
  expect(sitemap.body).not.toContain('<url>')
  expect((await get('/trpc/site.settings')).statusCode).toBe(200)
  expect((await get('/api/videos', member)).body).toContain(`"id":${id},`)
  expect((await get(media, member)).headers['cache-control']).toBe('private, no-cache')
})
