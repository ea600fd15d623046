import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SharePreview } from '#shared/schemas/sharing.schemas.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { addSharedVideo, openSiteWithPages, readTags } from '#test/support/shared-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { initialize } from '#test/support/upload-client.ts'

const PUBLIC = 'https://clips.example.org'

let site: Awaited<ReturnType<typeof openSiteWithPages>>
let ann: TestMember
let bob: TestMember
beforeAll(async () => {
  site = await openSiteWithPages({ publicUrl: PUBLIC })
  ann = await site.addMember('ann')
  bob = await site.addMember('bob')
})
afterAll(() => site.close())

const open = (url: string, as?: TestMember) => site.get(url, { ...(as && { as }) })
const tagsOf = async (url: string) => readTags((await open(url)).body)
const jsonLd = (html: string) =>
  JSON.parse(/<script data-page type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '')

test('a video’s page says to those who run no scripts what it is and where it plays', async () => {
  const { id, share, poster } = await addSharedVideo(site, ann, { title: 'Ace on Mirage' })
  const answer = await open(`/video/${id}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('<title>Ace on Mirage · Clutch</title>')
  expect(answer.body).toContain(`<link data-page rel="canonical" href="${PUBLIC}/video/${id}">`)
  expect(readTags(answer.body)).toMatchObject({
    'og:title': 'Ace on Mirage',
    'og:type': 'video.other',
    'og:url': `${PUBLIC}/video/${id}`,
    'og:image': PUBLIC + poster,
    'og:video': PUBLIC + share,
    'og:video:secure_url': PUBLIC + share,
    'og:video:type': 'video/mp4',
    'og:video:width': '1280',
    'og:video:height': '720',
    'twitter:card': 'player',
    'twitter:player': `${PUBLIC}/embed/${id}`,
    'twitter:player:width': '1280',
    'twitter:player:height': '720',
    'twitter:player:stream': PUBLIC + share,
    'twitter:player:stream:content_type': 'video/mp4',
  })
  expect(jsonLd(answer.body)).toMatchObject({
    '@type': 'VideoObject',
    duration: 'PT1M23S',
    embedUrl: `${PUBLIC}/embed/${id}`,
    author: { name: 'ann', url: `${PUBLIC}/profile/${ann.id}` },
  })
})

test('a description that nobody wrote is left out of cards; search engines get the facts', async () => {
  const { id } = await addSharedVideo(site, ann, { description: '', title: 'Ace' })
  const { body } = await open(`/video/${id}`)
  expect(body).not.toContain('content=""')
  const descriptions = Object.entries(readTags(body)).filter(([name]) =>
    name.endsWith('description'),
  )
  expect(descriptions).toEqual([['description', 'Ace: video by ann, 1:23']])
  const described = await addSharedVideo(site, ann, { description: 'All of it' })
  expect((await tagsOf(`/video/${described.id}`))['og:description']).toBe('All of it')
})

test('a long description ends between characters as people see them', async () => {
  for (const letters of [180, 189, 193, 196, 197, 199]) {
    const description = 'a'.repeat(letters) + '👨‍👩‍👧‍👦'.repeat(3)
    const { id } = await addSharedVideo(site, ann, { description })
    const { 'og:description': shown } = await tagsOf(`/video/${id}`)
    expect(shown).toMatch(/^a+(👨‍👩‍👧‍👦)*\.\.\.$/u)
  }
})

test('with the Discord switch off it is a picture card without a player', async () => {
  const { id, share } = await addSharedVideo(site, ann, { discordEmbed: 0 })
  const tags = await tagsOf(`/video/${id}`)
  expect(tags['twitter:card']).toBe('summary_large_image')
  expect(tags['og:image']).toBeDefined()
  const names = Object.keys(tags).filter((name) => /^(og:video|twitter:player)/.test(name))
  expect(names).toEqual([])
  expect(JSON.stringify(tags)).not.toContain(share)
})

test('a share file that is too large is not offered, nor the whole file in its place', async () => {
  const { id } = await addSharedVideo(site, ann, { shareBytes: 60_000_000 })
  const tags = await tagsOf(`/video/${id}`)
  expect(tags['og:video']).toBeUndefined()
  expect(tags['twitter:player']).toBe(`${PUBLIC}/embed/${id}`)
})

test('until there is a file for chats a small video stands in whole, afterwards only one of at most 720p', async () => {
  const player = async (fields: Parameters<typeof addSharedVideo>[2]) => {
    const { id, video } = await addSharedVideo(site, ann, { shareUrl: null, ...fields })
    await changeRows(site.db, 'mediaFiles', {
      where: { videoId: id, kind: 'video' },
      values: { bytes: 40_000_000 },
    })
    return (await tagsOf(`/video/${id}`))['og:video'] === PUBLIC + video
  }
  expect(await player({})).toBe(true)
  expect(await player({ hlsUrl: '/media/x/hls.m3u8' })).toBe(false)
  expect(await player({ hlsUrl: '/media/x/hls.m3u8', width: 1280, height: 720 })).toBe(true)
})

/** What the page brings along of the queries, by their path. */
function dataOf(body: string): Record<string, unknown> {
  const block = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(body)?.[1]
  const answers = JSON.parse(block ?? '[]') as [[string[]], unknown][]
  return Object.fromEntries(answers.map(([[path], data]) => [path.join('.'), data]))
}

test('a visitor’s page brings along what the app asks first, and nothing that others may not know', async () => {
  const fields = { isAnonymous: 1 as const, title: 'Whoever this is' }
  const { id, poster } = await addSharedVideo(site, ann, fields)
  const { body, headers } = await open(`/video/${id}`)
  const data = dataOf(body)
  expect(Object.keys(data).sort()).toEqual([
    'auth.currentUser',
    'clip.ofVideo',
    'comment.count',
    'comment.list',
    'comment.pinned',
    'participant.list',
    'site.settings',
    'video.get',
    'video.playback',
    'video.recommended',
  ])
  expect(data).toMatchObject({
    'auth.currentUser': null,
    'video.get': { id, title: 'Whoever this is', userId: null, channel: null },
  })
  expect(headers.vary).toContain('cookie')
  expect(body).toContain(`<img src="${poster}"`)
  expect(body).not.toContain('ann@')
  expect(dataOf((await open('/')).body)).toHaveProperty(['video.list'])
  expect(dataOf((await open(`/profile/${ann.id}`)).body)).toHaveProperty(['video.listByUser'])
  expect(dataOf((await open('/?category=Rust')).body)).toEqual({})
})

test('the page of a signed-in user brings nothing along, and no page what only its owner may see', async () => {
  const { id } = await addSharedVideo(site, ann, {})
  const hidden = await addSharedVideo(site, ann, { contentApproved: 0, title: 'Not yet public' })
  for (const path of ['/', `/video/${id}`, `/profile/${ann.id}`, `/video/${hidden.id}`]) {
    expect(dataOf((await open(path, ann)).body)).toEqual({})
    expect((await open(path)).body).not.toContain('Not yet public')
  }
})

test('texts cannot leave their place', async () => {
  const title = `"><script>alert(1)</script>' & </title>`
  const description = '</script><!-- <script>'
  const { id } = await addSharedVideo(site, ann, { title, description, tags: '["a\\"b"]' })
  const { body } = await open(`/video/${id}`)
  // About the video, what the page begins with, and what stands in it.
  expect(body.match(/<script/g)).toHaveLength(3)
  expect(body.match(/<\/script/g)).toHaveLength(3)
  expect(body.match(/<\/title>/g)).toHaveLength(1)
  expect(jsonLd(body)).toMatchObject({ name: title, description, keywords: 'a"b' })
})

test.each([
  ['pending', { contentApproved: 0 as const }],
  ['being prepared', { processingState: 'processing' as const }],
])('a video that is %s is a plain 404, and plain for its owner too', async (_, fields) => {
  const { id } = await addSharedVideo(site, ann, { title: 'Not for you', ...fields })
  const answers = [await open(`/video/${id}`), await open(`/video/${id}`, bob)]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  const own = await open(`/video/${id}`, ann)
  expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-store'])
  for (const { body } of [...answers, own]) {
    expect(body).not.toContain('Not for you')
    expect(body).not.toContain('data-page')
  }
})

test('a video that is hidden or deleted is gone from its page, oEmbed and media at once', async () => {
  for (const hide of ['reject', 'delete'] as const) {
    const video = await addSharedVideo(site, ann, { title: `Soon gone by ${hide}` })
    const page = `/video/${video.id}`
    const about = [page, `/oembed?url=${PUBLIC}${page}`, video.share, video.poster]
    const statuses = async () => {
      const found: number[] = []
      for (const url of about) found.push((await open(url)).statusCode)
      return found
    }
    expect(await statuses()).toEqual([200, 200, 200, 200])
    if (hide === 'delete') await site.delete(`/api/videos/${video.id}`, { as: ann })
    else {
      const change = { contentApproved: 0 as const }
      await site.db.updateTable('videos').set(change).where('id', '=', video.id).execute()
    }
    expect(await statuses()).toEqual([404, 404, 404, 404])
    for (const url of ['/feeds/videos.xml', '/sitemap.xml']) {
      expect((await open(url)).body).not.toContain(`${page}<`)
    }
  }
})

test('channels and public playlists have tags, private playlists none', async () => {
  const { id } = await addSharedVideo(site, bob, { title: 'In a list' })
  const list = {
    userId: bob.id,
    kind: 'list' as const,
    title: 'Best of',
    createdAt: '',
    updatedAt: '',
  }
  const add = async (visibility: 'public' | 'private') => {
    const query = site.db
      .insertInto('playlists')
      .values({ ...list, visibility })
      .returning('id')
    const row = await query.executeTakeFirstOrThrow()
    const item = { playlistId: row.id, videoId: id, position: 1, addedAt: '' }
    await site.db.insertInto('playlistItems').values(item).execute()
    return row.id
  }
  const [shared, closed] = [await add('public'), await add('private')]
  const channel = await open(`/profile/${bob.id}`)
  expect(readTags(channel.body)).toMatchObject({ 'og:type': 'profile', 'profile:username': 'bob' })
  expect(jsonLd(channel.body)).toMatchObject({
    '@type': 'ProfilePage',
    mainEntity: { name: 'bob' },
  })
  expect((await open('/profile/99999')).statusCode).toBe(404)

  const playlist = await open(`/playlist/${shared}`)
  expect(readTags(playlist.body)['og:title']).toBe('Best of')
  expect(jsonLd(playlist.body)).toMatchObject({
    '@type': 'ItemList',
    itemListElement: [{ position: 1, name: 'In a list', url: `${PUBLIC}/video/${id}` }],
  })
  expect((await open(`/playlist/${closed}`)).statusCode).toBe(404)
  const own = await open(`/playlist/${closed}`, bob)
  expect([own.statusCode, own.body.includes('Best of')]).toEqual([200, false])
})

test('the pages carry the site’s own name, tagline and logo', async () => {
  const before = await tagsOf('/')
  const icon = `${PUBLIC}/icons/icon-512.png`
  expect([before['og:site_name'], before['og:image']]).toEqual(['Clutch', icon])
  expect(before['og:image:type']).toBe('image/png')
  const settings = {
    name: 'Frag <Palace>',
    tagline: 'Clips "of ours"',
    logoUrl: '/media/x/logo.jpg',
  }
  await site.db.updateTable('siteSettings').set(settings).execute()
  expect(await tagsOf('/')).toMatchObject({
    description: 'Clips &quot;of ours&quot;',
    'og:site_name': 'Frag &lt;Palace&gt;',
    'og:image': `${PUBLIC}/media/x/logo.jpg`,
    'twitter:card': 'summary',
  })
  for (const [path, name] of Object.entries({ '/explore': 'Explore', '/clips': 'Clips' })) {
    expect(await tagsOf(path)).toMatchObject({
      'og:title': `${name} · Frag &lt;Palace&gt;`,
      'og:url': PUBLIC + path,
      'og:image': `${PUBLIC}/media/x/logo.jpg`,
    })
  }
  for (const url of ['/auth', '/video/99999', '/nothing']) {
    expect((await open(url)).body).toContain('<title>Frag &lt;Palace&gt;</title>')
  }
  const manifest = (await open('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ name: settings.name, description: settings.tagline })
  await site.db.updateTable('siteSettings').set({ name: 'Clutch', logoUrl: null }).execute()
})

test('a short link leads to the watch page and keeps the time', async () => {
  const targets = async (url: string) => {
    const { statusCode, headers } = await open(url)
    return [statusCode, headers.location]
  }
  expect(await targets('/v/7')).toEqual([301, '/video/7'])
  expect(await targets('/v/7?t=1m23s&x=1')).toEqual([301, '/video/7?t=1m23s'])
  expect(await targets('/v/7?t=//evil')).toEqual([301, '/video/7'])
  expect(await targets('/v/abc')).toEqual([404, undefined])
})

test('without PUBLIC_URL addresses are those of the request, never of an untrusted proxy', async () => {
  const other = await openSiteWithPages()
  const member = await other.addMember('ann')
  const { id } = await addSharedVideo(other, member)
  const urlFor = async (headers: Record<string, string>) => {
    const answer = await other.get(`/video/${id}`, { headers })
    return readTags(answer.body)['og:url']
  }
  expect(await urlFor({ host: 'lan.example:3000' })).toBe(`http://lan.example:3000/video/${id}`)
  const forged = {
    host: 'lan.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  }
  expect(await urlFor(forged)).toBe(`http://lan.example/video/${id}`)
  const broken = { method: 'GET', url: `/video/${id}`, headers: { host: 'a"><b' } } as const
  expect((await other.call(broken)).statusCode).toBe(400)
  await other.close()
})

test('the preview shows an owner the tags of the page itself, and what is in the way', async () => {
  const video = await addSharedVideo(site, ann, { title: 'Well shared', description: 'All there' })
  const ask = (id: number, as: TestMember) =>
    answerOf<SharePreview>(site, { as, name: 'sharing.preview', input: { id } })
  const preview = await ask(video.id, ann)
  const page = await tagsOf(`/video/${video.id}`)
  const known = preview.tags.filter(({ name }) => name in page)
  expect(Object.fromEntries(known.map(({ name, content }) => [name, content]))).toEqual(page)
  expect(preview.problems).toEqual([])
  expect(preview.card).toMatchObject({
    playsFile: true,
    playsPage: true,
    host: 'clips.example.org',
  })

  const codes = async (fields: Parameters<typeof addSharedVideo>[2]) => {
    const { id } = await addSharedVideo(site, ann, { description: 'All there', ...fields })
    return (await ask(id, ann)).problems.map(({ code }) => code)
  }
  expect(await codes({ contentApproved: 0 })).toEqual(['not-public'])
  expect(await codes({ thumbnailUrl: null })).toEqual(['no-poster'])
  expect(await codes({ discordEmbed: 0 })).toEqual(['discord-off'])
  expect(await codes({ shareUrl: null })).toEqual(['no-share-file'])
  expect(await codes({ shareBytes: 60_000_000 })).toEqual(['large-share-file'])
  expect(await codes({ title: 'x'.repeat(90), description: '' })).toEqual([
    'long-title',
    'no-description',
  ])
  const hidden = await addSharedVideo(site, ann, { contentApproved: 0 })
  expect((await ask(hidden.id, ann)).tags).toEqual([])
})

test('without an outside address the preview says that nobody can fetch anything', async () => {
  const other = await openSiteWithPages()
  const member = await other.addMember('ann')
  const { id } = await addSharedVideo(other, member, { description: 'All there' })
  const call = { as: member, name: 'sharing.preview', input: { id } }
  const { problems } = await answerOf<SharePreview>(other, call)
  expect(problems.map(({ code }) => code)).toEqual(['not-reachable', 'not-https'])
  await other.close()
})

test('a page is sent small to who can read that, and is never an old one', async () => {
  const { id } = await addSharedVideo(site, ann, {
    title: 'Before',
    description: 'Long. '.repeat(400),
  })
  const ask = (encoding: string) =>
    site.get(`/video/${id}`, { headers: { 'accept-encoding': encoding } })
  const read = async () => {
    const plain = await ask('identity')
    expect(plain.headers).not.toHaveProperty('content-encoding')
    for (const [name, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await ask(name)
      expect(answer.headers).toMatchObject({
        'content-encoding': name,
        vary: 'cookie, accept-encoding',
      })
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(unpack(answer.rawPayload).toString()).toBe(plain.body)
    }
    return plain.body
  }
  expect(await read()).toContain('Before')
  await site.patch(`/api/videos/${id}`, { as: ann, payload: { title: 'After' } })
  const changed = await read()
  expect(changed).toContain('After')
  expect(changed).not.toContain('Before')
})

test('a clip’s page and embed are about the clip, and its chat file is of it alone', async () => {
  const { id: videoId, poster } = await addSharedVideo(site, ann, { title: 'The whole match' })
  const input = { videoId, title: 'One tap', startSeconds: 10, endSeconds: 22 }
  const { id } = await answerOf<{ id: number }>(site, { as: bob, name: 'clip.create', input })
  const plain = await open(`/clip/${id}`)
  expect(plain.body).toContain('<title>One tap · Clutch</title>')
  const tags = readTags(plain.body)
  expect(tags).toMatchObject({
    'og:title': 'One tap',
    'og:url': `${PUBLIC}/clip/${id}`,
    'og:image': PUBLIC + poster,
    'twitter:player': `${PUBLIC}/embed/clip/${id}`,
    'video:duration': '12',
  })
  expect(tags).not.toHaveProperty('og:video')
  expect(jsonLd(plain.body)).toMatchObject({
    ...{ duration: 'PT12S', author: { name: 'bob' } },
    isPartOf: { name: 'The whole match', url: `${PUBLIC}/video/${videoId}` },
  })
  // The page begins with what the app would ask for.
  expect(plain.body).toContain('[["clip","byId"]')
  const { mediaKey } = await readRow(site.db, 'videos', { id: videoId })
  const made = { shareFile: 'clip-1.mp4', pictureFile: 'clip-1-card.webp' }
  await site.db.updateTable('clips').set(made).where('id', '=', id).execute()
  expect(await tagsOf(`/clip/${id}`)).toMatchObject({
    'og:video': `${PUBLIC}/media/${mediaKey}/clip-1.mp4`,
    'og:image': `${PUBLIC}/media/${mediaKey}/clip-1.jpg`,
  })

  const embed = await open(`/embed/clip/${id}`)
  expect(embed.body).toContain(
    `"clip":{"id":${id},"title":"One tap","startSeconds":10,"endSeconds":22}`,
  )
  const url = encodeURIComponent(`${PUBLIC}/clip/${id}`)
  expect((await open(`/oembed?url=${url}`)).json()).toMatchObject({
    title: 'One tap',
    html: expect.stringContaining(`${PUBLIC}/embed/clip/${id}`),
  })

  await answerOf(site, { as: ann, name: 'video.delete', input: { id: videoId } })
  expect((await open(`/clip/${id}`)).statusCode).toBe(404)
  expect((await open(`/embed/clip/${id}`)).statusCode).toBe(404)
  expect((await open(`/oembed?url=${url}`)).statusCode).toBe(404)
})

test('rooms of the desk and of the rules that do not exist are a 404, for an admin too', async () => {
  const chief = await site.addMember('chief', { isAdmin: true })
  await site.db.updateTable('siteSettings').set({ rules: 'Be kind' }).execute()
  const statusOf = async (url: string, as?: TestMember) => (await open(url, as)).statusCode
  for (const path of ['/admin', '/admin/members', '/rules']) {
    expect([path, await statusOf(path, chief)]).toEqual([path, 200])
  }
  for (const path of [
    '/admin/nonsense',
    '/admin/members/nonsense',
    '/admin/constructor',
    '/rules/nonsense',
    '/about/nonsense',
  ]) {
    const answer = await open(path, chief)
    expect([path, answer.statusCode]).toEqual([path, 404])
    expect(answer.headers['content-type']).toMatch(/^text\/html/)
    expect([path, await statusOf(path)]).toEqual([path, 404])
  }
  await site.db.updateTable('siteSettings').set({ rules: '' }).execute()
})

test('an upload that is still arriving has a page with its title for whoever may watch it', async () => {
  const open = async (visibility: string) => {
    const metadata = { title: 'Still under way', visibility }
    const opened = await initialize({ site, as: ann }, { size: 3_000_000, metadata })
    const { uploadId } = opened.json<{ uploadId: string }>()
    const link = await site.post(`/api/uploads/${uploadId}/link`, { as: ann })
    return link.json<{ videoId: number }>().videoId
  }
  const unlisted = await site.get(`/video/${await open('unlisted')}`)
  expect(unlisted.statusCode).toBe(200)
  expect(unlisted.body).toContain('property="og:title" content="Still under way"')
  expect(unlisted.body).toContain('name="robots" content="noindex"')
  const path = `/video/${await open('private')}`
  const pages = [await site.get(path), await site.get(path, { as: ann })]
  expect(pages.map(({ statusCode }) => statusCode)).toEqual([404, 200])
  expect(pages.some(({ body }) => body.includes('Still under way'))).toBe(false)
})
