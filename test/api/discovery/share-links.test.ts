import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type { MediaFilesTable } from '#server/platform/db/tables/video.ts'
import type {
  CreateShareLink,
  OpenedShareLink,
  ShareLink,
} from '#shared/schemas/share-link.schemas.ts'
import { answerOf, callProcedure, expectRefused } from '#test/support/procedure-call.ts'
import { addRow, changeRows } from '#test/support/rows.ts'
import { addSharedVideo, openSiteWithPages, readTags } from '#test/support/shared-site.ts'
import { partsOf, storeFiles } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'

const PUBLIC = 'https://clips.example.org'
const DEAD = 'This link does not work any more.'
const UNKNOWN = 'A'.repeat(22)
const PASSWORD = 'open sesame'

type Created = ShareLink & { url: string }
type OpenedVideo = Extract<OpenedShareLink, { kind: 'video' }>
type OpenedPlaylist = Extract<OpenedShareLink, { kind: 'playlist' }>

let site: Awaited<ReturnType<typeof openSiteWithPages>>
let ann: TestMember
let bob: TestMember
let admin: TestMember
beforeAll(async () => {
  site = await openSiteWithPages({ publicUrl: PUBLIC })
  ann = await site.addMember('ann')
  bob = await site.addMember('bob')
  admin = await site.addMember('admin', { isAdmin: true })
})
afterAll(() => site.close())

const make = async (input: Partial<CreateShareLink>, as = ann) => {
  const link = await answerOf<Created>(site, { as, name: 'shareLink.create', input })
  return { ...link, token: link.url.slice(link.url.lastIndexOf('/') + 1) }
}
const tryOpen = (input: object) => callProcedure(site, { name: 'shareLink.open', input })
const open = <Opened = OpenedVideo>(input: object) =>
  answerOf<Opened>(site, { name: 'shareLink.open', input })
const list = (videoId: number, as = ann) =>
  answerOf<ShareLink[]>(site, { as, name: 'shareLink.list', input: { videoId } })
const get = (url: string | null, headers: Record<string, string> = {}) =>
  site.get(url ?? 'nowhere', { headers })
const update = (id: number, change: object) =>
  site.db.updateTable('shareLinks').set(change).where('id', '=', id).execute()

/** A video of Ann that nobody else may see. */
const addPrivate = (fields: Parameters<typeof addSharedVideo>[2] = {}) =>
  addSharedVideo(site, ann, { visibility: 'private', title: 'Between us', ...fields })

async function addFile(
  video: { id: number; video: string },
  file: { name: string; kind: MediaFilesTable['kind']; text: string },
) {
  const { name, kind, text } = file
  await storeFiles(site, partsOf(video.video)[0], { [name]: text })
  const row = { videoId: video.id, name, kind, bytes: text.length }
  await site.db.insertInto('mediaFiles').values(row).execute()
}

describe('a link to a video', () => {
  test('is 128 random bits, of which the database has the digest only', async () => {
    const { id } = await addPrivate()
    const link = await make({ videoId: id, note: 'For Ben' })
    expect(link.url).toMatch(/^https:\/\/clips\.example\.org\/s\/[\w-]{22}$/)
    const row = await site.db
      .selectFrom('shareLinks')
      .selectAll()
      .where('id', '=', link.id)
      .execute()
    expect(JSON.stringify(row)).not.toContain(link.token)
    const listed = await list(id)
    expect(listed).toMatchObject([{ note: 'For Ben', views: 0, state: 'live', hasPassword: false }])
    expect(JSON.stringify(listed)).not.toContain(link.token)
  })

  test.each(['public', 'members', 'unlisted', 'private'] as const)(
    'opens one for %s, with its files and nothing else',
    async (visibility) => {
      const video = await addPrivate({ visibility })
      const other = await addPrivate()
      const { token } = await make({ videoId: video.id })
      const opened = await open({ token })
      expect(opened).toMatchObject({ kind: 'video', grant: null, video: { title: 'Between us' } })
      const { thumbnailUrl, videoUrl } = opened.video
      const { shareUrl } = opened.playback
      expect([thumbnailUrl, videoUrl, shareUrl]).toEqual(
        ['poster.jpg', 'video.mp4', 'share.mp4'].map((name) => `/s/${token}/media/${name}`),
      )
      expect(JSON.stringify(opened)).not.toContain('"/media/')
      for (const url of [thumbnailUrl, videoUrl, shareUrl]) {
        const { statusCode, headers, body } = await get(url)
        expect([statusCode, body]).toEqual([200, 'bytes'])
        expect(headers['cache-control']).toBe('private, no-store')
        expect(headers['set-cookie']).toBeUndefined()
      }
      expect((await get(`/s/${token}/media/source`)).statusCode).toBe(404)
      expect((await get(`/s/${token}/media/${other.id}/video.mp4`)).statusCode).toBe(404)
      if (visibility === 'private') expect((await get(video.video)).statusCode).toBe(404)
    },
  )

  test('works on a site that is for members', async () => {
    const { id } = await addPrivate()
    const { token } = await make({ videoId: id })
    await site.db.updateTable('siteSettings').set({ audience: 'members' }).execute()
    const answers = [await tryOpen({ token }), await get(`/s/${token}`)]
    const media = await get(`/s/${token}/media/video.mp4`)
    await site.db.updateTable('siteSettings').set({ audience: 'everybody' }).execute()
    expect([...answers, media].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  test('answers parts of files, and what names its parts relatively leads to parts', async () => {
    const video = await addPrivate({ hlsUrl: null })
    const text = '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\npart-1.m4s\n'
    await addFile(video, { name: 'hls.m3u8', kind: 'playlist', text })
    await addFile(video, { name: 'part-1.m4s', kind: 'rendition', text: '0123456789' })
    const hlsUrl = video.video.replace('video.mp4', 'hls.m3u8')
    await site.db.updateTable('videos').set({ hlsUrl }).where('id', '=', video.id).execute()
    const { token } = await make({ videoId: video.id, password: PASSWORD })
    const opened = await open({ token, password: PASSWORD })
    const playlist = await get(opened.video.hlsUrl)
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl')
    expect(playlist.body).toBe(text)
    const part = new URL('part-1.m4s', PUBLIC + opened.video.hlsUrl).pathname
    const { statusCode, headers, body } = await get(part, { range: 'bytes=2-4' })
    expect([statusCode, headers['content-range'], body]).toEqual([206, 'bytes 2-4/10', '234'])
  })

  test('names no owner of an anonymous video, and no way to anything else of the site', async () => {
    const { id } = await addPrivate({ isAnonymous: 1 })
    const { token } = await make({ videoId: id })
    const opened = await open({ token })
    expect([opened.video.ownerName, opened.video.ownerAvatarUrl]).toEqual([null, null])
    expect(JSON.stringify([opened, (await get(`/s/${token}`)).body])).not.toMatch(/"ann"|profile/)
  })

  test('brings along the comments, to be read', async () => {
    const { id } = await addPrivate()
    const said = { videoId: id, userId: bob.id, createdAt: timestamp() }
    const parentId = await addRow(site.db, 'comments', { ...said, content: 'What a shot' })
    const rows = [
      { ...said, content: 'Indeed', parentId },
      { ...said, content: 'Held back', withheld: 'held' as const },
    ]
    await site.db.insertInto('comments').values(rows).execute()
    const avatarOf = (member: TestMember) => `/media/${member.username}.jpg`
    for (const member of [ann, bob]) {
      const avatarUrl = avatarOf(member)
      await site.db.updateTable('users').set({ avatarUrl }).where('id', '=', member.id).execute()
    }
    const { comments, video } = await open({ token: (await make({ videoId: id })).token })
    expect(video.ownerAvatarUrl).toBe(avatarOf(ann))
    expect(comments.items).toMatchObject([
      {
        ...{ authorName: 'bob', authorAvatarUrl: avatarOf(bob), content: 'What a shot' },
        replies: [{ content: 'Indeed', authorAvatarUrl: avatarOf(bob) }],
      },
    ])
  })
})

describe('a link that does not work', () => {
  const DEATHS: [string, (link: Created, videoId: number) => Promise<unknown>][] = [
    ['revoked', ({ id }) => answerOf(site, { as: ann, name: 'shareLink.revoke', input: { id } })],
    ['expired', ({ id }) => update(id, { expiresAt: timestamp(new Date(Date.now() - 1000)) })],
    ['used up', ({ id }) => update(id, { maxViews: 2, views: 2 })],
    ['of a video that is not approved', (_, id) => change(id, { contentApproved: 0 })],
    ['of a video that is being made', (_, id) => change(id, { processingState: 'processing' })],
    ['of a video that is being deleted', (_, id) => change(id, { processingState: 'deleting' })],
    [
      'of a video that is deleted',
      (_, id) => site.db.deleteFrom('videos').where('id', '=', id).execute(),
    ],
  ]
  const change = (id: number, fields: object) =>
    site.db.updateTable('videos').set(fields).where('id', '=', id).execute()
  const UNSTEADY = /^(date|x-request-id|x-ratelimit|connection|keep-alive)/

  /** All that the holder of a token is answered. */
  async function answersTo(token: string) {
    const answers = [
      await tryOpen({ token }),
      await tryOpen({ token, password: 'a wrong one' }),
      await callProcedure(site, { name: 'shareLink.video', input: { token, videoId: 1 } }),
      await get(`/s/${token}`),
      await site.call({ method: 'HEAD', url: `/s/${token}` }),
      await get(`/s/${token}/media/video.mp4`),
      await get(`/s/${token}/media/1/video.mp4`),
    ]
    return answers.map(({ statusCode, headers, body }) => ({
      statusCode,
      headers: Object.entries(headers).filter(([name]) => !UNSTEADY.test(name)),
      body: body.replaceAll(token, '<token>'),
    }))
  }

  test.each(DEATHS)('%s is answered as one that never was', async (_, end) => {
    const { id } = await addPrivate()
    const link = await make({ videoId: id, password: PASSWORD })
    expect((await tryOpen({ token: link.token })).statusCode).toBe(403)
    await end(link, id)
    const [opened, ...others] = await answersTo(link.token)
    expect(opened?.body).toContain(DEAD)
    expect(new Set(others.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
    expect([opened, ...others]).toEqual(await answersTo(UNKNOWN))
  })

  test('of a banned owner works as little', async () => {
    const carl = await site.addMember('carl')
    const { id } = await addSharedVideo(site, carl)
    const { token } = await make({ videoId: id }, carl)
    await changeRows(site.db, 'users', {
      where: { id: carl.id },
      values: { bannedAt: timestamp() },
    })
    expect(await answersTo(token)).toEqual(await answersTo(UNKNOWN))
  })

  test('is refused in other words to who tries many of them, and no right one is', async () => {
    const strict = await openSiteWithPages({ rateLimitScale: 1 })
    try {
      const owner = await strict.addMember('owner')
      const { id } = await addSharedVideo(strict, owner)
      const input = { videoId: id }
      const call = { as: owner, name: 'shareLink.create', input }
      const { url } = await answerOf<Created>(strict, call)
      const statuses: number[] = []
      for (let count = 0; count < 61; count++) {
        const answer = await strict.get(`/s/${UNKNOWN}`)
        statuses.push(answer.statusCode)
      }
      expect(statuses.slice(-2)).toEqual([404, 429])
      // Guesses that come together count each, and with those before.
      const guesses = [1, 2, 3].map(() =>
        callProcedure(strict, { name: 'shareLink.open', input: { token: UNKNOWN } }),
      )
      const refused = (await Promise.all(guesses)).map(({ statusCode }) => statusCode)
      expect(refused).toEqual([429, 429, 429])
      const right = await callProcedure(strict, {
        name: 'shareLink.open',
        input: { token: url.slice(-22) },
      })
      expect(right.statusCode).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

describe('a password', () => {
  test('is asked for, tells nothing of what is behind it, and is followed by a grant', async () => {
    const { id } = await addPrivate()
    const { token } = await make({ videoId: id, password: PASSWORD })
    expectRefused(await tryOpen({ token }), 403, 'This link asks for a password.')
    const wrong = await tryOpen({ token, password: 'open barley' })
    expectRefused(wrong, 403, 'That is not the password of this link.')
    const page = await get(`/s/${token}`)
    expect(page.body).toContain('<title>A shared video · Clutch</title>')
    expect(page.body).not.toMatch(/Between us|og:image|og:video"/)
    expect((await get(`/s/${token}/media/poster.jpg`)).statusCode).toBe(404)

    const { grant, video } = await open({ token, password: PASSWORD })
    expect(video.videoUrl).toBe(`/s/${token}/${grant}/media/video.mp4`)
    expect((await get(video.videoUrl)).statusCode).toBe(200)
    expect((await list(id))[0]).toMatchObject({ views: 1, hasPassword: true })
    const again = await open({ token, grant })
    expect(again.video.videoUrl).toBe(video.videoUrl)
    expect((await list(id))[0]?.views).toBe(1)
  })

  test('of one link grants nothing with another, nor for ever', async () => {
    const { id } = await addPrivate()
    const [one, other] = [
      await make({ videoId: id, password: PASSWORD }),
      await make({ videoId: id, password: PASSWORD }),
    ]
    const { grant } = await open({ token: one.token, password: PASSWORD })
    expect((await tryOpen({ token: other.token, grant })).statusCode).toBe(403)
    const [endsAt = '', signature = ''] = grant?.split('.') ?? []
    const later = (Number.parseInt(endsAt, 36) + 1).toString(36)
    for (const forged of [`${later}.${signature}`, `${endsAt}.${'A'.repeat(43)}`]) {
      expect((await get(`/s/${one.token}/${forged}/media/video.mp4`)).statusCode).toBe(404)
    }
  })

  test('is not guessed: ten wrong ones, and the next is refused', async () => {
    const strict = await openSiteWithPages({ rateLimitScale: 1 })
    try {
      const owner = await strict.addMember('owner')
      const { id } = await addSharedVideo(strict, owner)
      const input = { videoId: id, password: PASSWORD }
      const call = { as: owner, name: 'shareLink.create', input }
      const { url } = await answerOf<Created>(strict, call)
      const guess = (password: string) =>
        callProcedure(strict, {
          name: 'shareLink.open',
          input: { token: url.slice(-22), password },
        })
      const guesses: number[] = []
      for (let count = 0; count < 10; count++) guesses.push((await guess('wrong')).statusCode)
      expect(new Set(guesses)).toEqual(new Set([403]))
      expect((await guess(PASSWORD)).statusCode).toBe(429)
    } finally {
      await strict.close()
    }
  })
})

describe('views', () => {
  const CRAWLERS = [
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.23.20.0 A',
  ]

  test('are openings, and end where they are to', async () => {
    const { id } = await addPrivate()
    const { token } = await make({ videoId: id, maxViews: 2 })
    const answers = await Promise.all([1, 2, 3].map(() => tryOpen({ token })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 404])
    expect((await list(id))[0]).toMatchObject({ views: 2, state: 'used-up' })
    expect((await list(id))[0]?.lastUsedAt).not.toBeNull()
    // Whoever opened it last goes on watching.
    const opened = answers.find(({ statusCode }) => statusCode === 200)?.json().result.data
    expect((await get(opened.video.videoUrl)).statusCode).toBe(200)
    expect((await get(`/s/${token}/media/share.mp4`)).statusCode).toBe(404)
  })

  test.each(CRAWLERS)('are none of what %s draws a preview from', async (agent) => {
    const { id } = await addPrivate({ description: 'Only here' })
    const { token } = await make({ videoId: id, maxViews: 1 })
    const headers = { 'user-agent': agent }
    const page = await get(`/s/${token}`, headers)
    const tags = readTags(page.body)
    const file = (name: string) => `${PUBLIC}/s/${token}/media/${name}`
    expect(tags).toMatchObject({
      'og:title': 'Between us',
      'og:description': 'Only here',
      'og:url': `${PUBLIC}/s/${token}`,
      'og:image': file('poster.jpg'),
      'og:video': file('share.mp4'),
      'og:video:secure_url': file('share.mp4'),
      'og:video:type': 'video/mp4',
      'og:video:width': '1280',
      robots: 'noindex',
    })
    for (const [name, type] of [
      ['og:image', 'image/jpeg'],
      ['og:video', 'video/mp4'],
    ] as const) {
      const url = tags[name]?.slice(PUBLIC.length) ?? ''
      const asked = [
        await site.call({ method: 'HEAD', url, headers }),
        await get(url, { ...headers, range: 'bytes=0-1' }),
        await get(url, headers),
      ]
      expect(asked.map(({ statusCode }) => statusCode)).toEqual([200, 206, 200])
      expect(asked.map((answer) => answer.headers['content-type'])).toEqual([type, type, type])
      expect(asked[0]?.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '5' })
    }
    // The whole file is for who opens it.
    expect((await get(`/s/${token}/media/video.mp4`, headers)).statusCode).toBe(404)
    expect((await list(id))[0]?.views).toBe(0)
    expect((await tryOpen({ token })).statusCode).toBe(200)
  })

  test.each(CRAWLERS)('aside, %s draws nothing of what is not public', async (agent) => {
    for (const visibility of ['members', 'private'] as const) {
      const { id, ...files } = await addPrivate({ visibility })
      const oembed = `/oembed?url=${encodeURIComponent(`${PUBLIC}/video/${id}`)}`
      const addresses = [`/video/${id}`, `/embed/${id}`, oembed, ...Object.values(files)]
      for (const url of addresses) {
        const { statusCode, headers, body } = await get(url, { 'user-agent': agent })
        expect([url, statusCode]).toEqual([url, 404])
        expect(JSON.stringify(headers) + body).not.toMatch(
          /Between us|og:video|og:image"|share\.mp4/,
        )
      }
    }
  })
})

test('the page is for nobody to list or keep, and tells other sites nothing', async () => {
  const { id } = await addPrivate()
  const { token } = await make({ videoId: id })
  for (const method of ['GET', 'HEAD'] as const) {
    const { statusCode, headers, body } = await site.call({
      ...{ method, url: `/s/${token}` },
      headers: { cookie: ann.cookie },
    })
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['set-cookie']).toBeUndefined()
    expect(body).not.toMatch(/page-data|canonical|oembed|embed\/|\/video\/|"\/media\//)
  }
})

describe('the owner', () => {
  test('and admins alone see and end the links, one by one or all', async () => {
    const { id: videoId } = await addPrivate({ visibility: 'public' })
    const links = [await make({ videoId }), await make({ videoId }), await make({ videoId })]
    const by = (as: TestMember, name: string, input: object) =>
      callProcedure(site, { as, name, input })
    const refused = await by(bob, 'shareLink.list', { videoId })
    expectRefused(refused, 403, 'Only its owner can see the links to this video.')
    const made = await by(admin, 'shareLink.create', { videoId })
    expectRefused(made, 403, 'Only its owner can share this video with a link.')
    const [id, other] = links.map((link) => link.id)
    expectRefused(await by(bob, 'shareLink.revoke', { id }), 404, 'There is no such link.')
    expect((await by(admin, 'shareLink.revoke', { id })).statusCode).toBe(200)
    expect((await by(ann, 'shareLink.revoke', { id: other })).statusCode).toBe(200)
    const states = async () => (await list(videoId, admin)).map(({ state }) => state)
    expect(await states()).toEqual(['live', 'revoked', 'revoked'])
    expect((await by(ann, 'shareLink.revokeAll', { videoId })).statusCode).toBe(200)
    expect(await states()).toEqual(['revoked', 'revoked', 'revoked'])
  })

  test('has a hundred at most that work', async () => {
    const { id: videoId } = await addPrivate()
    const rows = Array.from({ length: 100 }, (_, index) => ({
      ...{ videoId, createdBy: ann.id, createdAt: timestamp(), tokenHash: `${videoId}-${index}` },
    }))
    await site.db.insertInto('shareLinks').values(rows).execute()
    const answer = await callProcedure(site, {
      ...{ as: ann, name: 'shareLink.create', input: { videoId } },
    })
    expectRefused(answer, 409, 'This video has 100 links that work. Revoke one of them first.')
    await answerOf(site, { as: ann, name: 'shareLink.revokeAll', input: { videoId } })
    await make({ videoId })
    await make({ videoId })
    expect(await list(videoId)).toHaveLength(102)
  })

  test.each([
    [{}, 'Name either a video or a playlist.'],
    [{ videoId: 1, password: 'short' }, 'Password must be at least 6 characters'],
    [{ videoId: 1, maxViews: 0 }, 'maxViews must be at least 1.'],
    [{ videoId: 1, expiresAt: 'soon' }, 'expiresAt must be a time, as 2026-01-31T18:00:00Z.'],
  ])('is told in a sentence what is wrong with %j', async (payload, sentence) => {
    const url = '/api/share-links'
    const answer = await site.post(url, { as: ann, payload })
    expect([answer.statusCode, answer.body]).toEqual([400, sentence])
  })

  test('makes none that is over already', async () => {
    const { id: videoId } = await addPrivate()
    const payload = { videoId, expiresAt: '2020-01-01T00:00:00Z' }
    const answer = await site.post('/api/share-links', { as: ann, payload })
    const sentence = 'The time at which the link ends must lie in the future.'
    expect([answer.statusCode, answer.body]).toEqual([400, sentence])
  })
})

describe('a link to a playlist', () => {
  test('opens its videos: what everybody may see, and what its owner may show', async () => {
    const own = await addPrivate()
    const quiet = await addPrivate({ title: 'Nobody did it', isAnonymous: 1 })
    const open_ = await addSharedVideo(site, bob, { title: 'For everybody' })
    const closed = await addSharedVideo(site, bob, { title: 'Not hers', visibility: 'members' })
    const playlist = await answerOf<{ id: number }>(site, {
      ...{ as: ann, name: 'playlist.create', input: { title: 'Our raid' } },
    })
    const ids = [own, quiet, open_, closed].map(({ id }) => id)
    for (const videoId of ids) {
      const input = { playlistId: playlist.id, videoId }
      await answerOf(site, { as: ann, name: 'playlist.addVideo', input })
    }
    const { token } = await make({ playlistId: playlist.id })
    const opened = await open<OpenedPlaylist>({ token })
    expect(opened).toMatchObject({ kind: 'playlist', title: 'Our raid', ownerName: 'ann' })
    expect(opened.videos.map(({ id }) => id)).toEqual([own.id, open_.id])
    const video = (videoId: number) =>
      callProcedure(site, { name: 'shareLink.video', input: { token, videoId } })
    const entry = (await video(own.id)).json().result.data
    expect(entry.video.videoUrl).toBe(`/s/${token}/media/${own.id}/video.mp4`)
    expect((await get(entry.video.videoUrl)).statusCode).toBe(200)
    for (const { id } of [quiet, closed]) {
      expectRefused(await video(id), 404, DEAD)
      expect((await get(`/s/${token}/media/${id}/video.mp4`)).statusCode).toBe(404)
    }
    const tags = readTags((await get(`/s/${token}`)).body)
    expect(tags['og:title']).toBe('Our raid')
    expect(tags['og:image']).toBe(`${PUBLIC}/s/${token}/media/${own.id}/poster.jpg`)
  })
})
