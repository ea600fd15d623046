import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { VISIBILITIES, type Visibility } from '#shared/schemas/visibility.schemas.ts'
import { REST, TRPC } from '#test/support/authorization-rows.ts'
import { procedureRequest, procedures } from '#test/support/procedure-call.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'

/*
 * Each level has a video and a playlist of one member, with a word that nothing else has in every text. Everything
 * that can be read is read by everybody, with the address of each; the word may be met only by those who may have it.
 */

const ROLES = ['visitor', 'member', 'named', 'owner', 'admin'] as const
type Role = (typeof ROLES)[number]

const EVERYBODY: readonly Role[] = ROLES
const MEMBERS: readonly Role[] = ['member', 'named', 'owner', 'admin']
const NAMED: readonly Role[] = ['named', 'owner', 'admin']
const OWN: readonly Role[] = ['owner', 'admin']
/** Who opens what is of a level by its address, and who meets it elsewhere. */
const MAY: Record<Visibility, { open: readonly Role[]; meet: readonly Role[] }> = {
  public: { open: EVERYBODY, meet: EVERYBODY },
  members: { open: MEMBERS, meet: MEMBERS },
  unlisted: { open: EVERYBODY, meet: OWN },
  private: { open: NAMED, meet: OWN },
}
const WORDS: Record<Visibility, string> = {
  public: 'zubrowka',
  members: 'quokkanym',
  unlisted: 'wombleton',
  private: 'yggdraxil',
}
/** Of what a page, a feed, a player or a chat asks, whose address has no procedure. */
const PAGES = [
  '/',
  '/?category=Other',
  '/explore',
  '/search?q={word}',
  '/video/{video}',
  '/v/{video}',
  '/embed/{video}',
  '/playlist/{playlist}',
  '/profile/{owner}',
  '/feeds/videos.xml',
  '/feeds/channel/{owner}.xml',
  '/feeds/game/Other.xml',
  '/feeds/search.xml?q={word}',
  '/sitemap.xml',
  '/sitemap-1.xml',
  '/robots.txt',
  '/oembed?url=http%3A%2F%2Flocalhost%2Fvideo%2F{video}',
  '/oembed?format=xml&url=http%3A%2F%2Flocalhost%2Fvideo%2F{video}',
  '/trpc/search.videos?input=%7B%22q%22%3A%22{word}%22%7D',
  '/trpc/search.videos?input=%7B%22q%22%3A%22{typo}%22%7D',
  '/trpc/search.suggest?input=%7B%22q%22%3A%22{begin}%22%7D',
  '/trpc/search.suggest?input=%7B%22q%22%3A%22{typo}%22%7D',
  '/api/search?q={word}',
]
/** Of the videos, so that a number in an answer can be told to be one. */
const FIRST_ID = 700_001
/** One of each kind that a media folder holds. */
const FILES = {
  'video.mp4': 'video',
  'master.m3u8': 'playlist',
  '720p.m3u8': 'playlist',
  '720p.mp4': 'rendition',
  'poster.jpg': 'picture',
  'card.webp': 'picture',
  'storyboard.vtt': 'storyboard',
  'captions-1.vtt': 'captions',
  'share.mp4': 'share',
  'sound-2.m4a': 'sound',
} as const

let site: TestSite
let clientFolder: string
let log = ''
const people: Partial<Record<Role, TestMember>> = {}
const names = {} as Record<Visibility, Record<string, string>>

beforeAll(async () => {
  clientFolder = await mkdtemp(join(tmpdir(), 'clutch-client-'))
  for (const name of ['index.html', 'embed.html']) {
    const page = '<!doctype html><html><head></head><body><div id="root"></div></body></html>'
    await writeFile(join(clientFolder, name), page)
  }
  const stream = new Writable({
    write(line, _, done) {
      log += line
      done()
    },
  })
  const logger = { level: 'debug', stream }
  site = await openTestSite({ rateLimitScale: 1_000_000 }, { clientFolder, logger })
  const owner = await site.addMember('owner')
  const named = await site.addMember('named')
  const admin = await site.addMember('admin', { isAdmin: true })
  await sql`INSERT INTO "sqlite_sequence" ("name", "seq") VALUES ('videos', ${FIRST_ID - 1})`.execute(
    site.db,
  )
  Object.assign(people, { owner, named, admin, member: await site.addMember('member') })
  for (const level of VISIBILITIES) names[level] = await plant(level, { owner, named })
  await site.index()
})
afterAll(async () => {
  await site.close()
  await rm(clientFolder, { recursive: true, force: true })
})

async function plant(
  visibility: Visibility,
  { owner, named }: { owner: TestMember; named: TestMember },
): Promise<Record<string, string>> {
  const { db } = site
  const word = WORDS[visibility]
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  const url = (name: keyof typeof FILES) => mediaUrl(mediaKey, name)
  const video = await site.addVideo(owner, {
    title: `Title ${word}`,
    description: `Text ${word}`,
    tags: JSON.stringify([word]),
    visibility,
    mediaKey,
    videoUrl: url('video.mp4'),
    hlsUrl: url('master.m3u8'),
    thumbnailUrl: url('poster.jpg'),
    cardUrl: url('card.webp'),
    storyboardUrl: url('storyboard.vtt'),
    shareUrl: url('share.mp4'),
    duration: 5,
  })
  const folder = site.media.mediaFolder(mediaKey)
  await mkdir(folder, { recursive: true })
  for (const [name, kind] of Object.entries(FILES)) {
    await writeFile(join(folder, name), `${name} ${word}`)
    await db.insertInto('mediaFiles').values({ videoId: video, name, kind, bytes: 20 }).execute()
  }
  const now = timestamp()
  const insertComment = (parentId: number | null) =>
    db
      .insertInto('comments')
      .values({
        videoId: video,
        userId: owner.id,
        content: `Comment ${word}`,
        parentId,
        createdAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const comment = await insertComment(null)
  await insertComment(comment.id)
  const label = `Captions ${word}`
  const captions = { videoId: video, language: 'en', label, file: 'captions-1.vtt', createdAt: now }
  await db.insertInto('captions').values(captions).execute()
  const day = now.slice(0, 10)
  await db.insertInto('dailyViews').values({ day, videoId: video, count: 5 }).execute()
  const like = { userId: owner.id, videoId: video, isLike: 1 as const, createdAt: now }
  await db.insertInto('likes').values(like).execute()
  const post = { channelId: owner.id, userId: owner.id, content: 'Look', videoId: video }
  await db
    .insertInto('posts')
    .values({ ...post, createdAt: now })
    .execute()
  await db
    .insertInto('participants')
    .values({ videoId: video, userId: named.id, state: 'named' })
    .execute()
  const insertPlaylist = (level: Visibility, title: string) =>
    db
      .insertInto('playlists')
      .values({
        userId: owner.id,
        kind: 'list',
        title,
        visibility: level,
        createdAt: now,
        updatedAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const playlist = await insertPlaylist(visibility, `List ${word}`)
  const open = await insertPlaylist('public', 'For everybody')
  for (const playlistId of [playlist.id, open.id]) {
    const item = { playlistId, videoId: video, position: 1, addedAt: now }
    await db.insertInto('playlistItems').values(item).execute()
  }
  if (visibility === 'private') {
    await db.insertInto('videoMembers').values({ videoId: video, userId: named.id }).execute()
    const holder = { playlistId: playlist.id, userId: named.id }
    await db.insertInto('playlistMembers').values(holder).execute()
  }
  return {
    word,
    typo: `${word.slice(0, 3)}x${word.slice(3)}`,
    begin: word.slice(0, 4),
    mediaKey,
    video: String(video),
    publicVideo: String(video),
    hidden: String(video),
    comment: String(comment.id),
    playlist: String(playlist.id),
    privateList: String(playlist.id),
    openList: String(open.id),
    owner: String(owner.id),
    me: String(owner.id),
    other: String(named.id),
  }
}

const fill = (text: string, level: Visibility) =>
  text.replaceAll(
    /\{(\w+)\}|%7B(\w+)%7D/g,
    (_, plain, encoded) => names[level][plain ?? encoded] ?? '1',
  )

/** Reads that answer at once; what goes on as a stream has nothing of videos in it. */
function listReads(level: Visibility): string[] {
  const rest = REST.map(([call]) => call)
    .filter((call) => call.startsWith('GET '))
    .map((call) => call.slice('GET '.length))
    .filter((url) => !url.startsWith('/api/backups'))
  const trpc = TRPC.filter(([name]) => procedures[name]?._def.type === 'query').map(
    ([name, , input]) => procedureRequest(name, input).url,
  )
  const lists = [
    procedureRequest('playlist.get', { id: '{openList}' }).url,
    procedureRequest('participant.appearances', { id: '{other}' }).url,
  ]
  return [...new Set([...rest, ...trpc, ...lists, ...PAGES])].map((url) => fill(url, level))
}

/** The numbers in it are those of rows: an input has them as numbers. */
const withNumbers = (url: string) =>
  url.replaceAll(/%3A%22(\d+)%22/g, (_, number) => `%3A${number}`)

async function read(url: string, role: Role) {
  const person = people[role]
  const answer = await site.call({ method: 'GET', url, ...(person && { as: person }) })
  const { 'x-request-id': _, ...headers } = answer.headers
  return { status: answer.statusCode, text: `${JSON.stringify(headers)}${answer.body}` }
}

describe.each(VISIBILITIES)('what is asked with the addresses of what is %s', (asked) => {
  test.each(ROLES)('tells a %s no word that they may not have', async (role) => {
    const leaks: string[] = []
    let met = 0
    for (const url of listReads(asked)) {
      for (const form of new Set([url, withNumbers(url)])) {
        const { text } = await read(form, role)
        // What was asked may be repeated.
        const told = text.replaceAll(form, '').replaceAll(encodeURIComponent(form), '')
        for (const level of VISIBILITIES) {
          const mayHave = level === asked ? MAY[level].open : MAY[level].meet
          if (!told.includes(WORDS[level]) || isEcho(form, level)) continue
          met++
          const isListed = MAY[level].meet.includes(role)
          const isAddressed = level === asked && isAddress(form) && mayHave.includes(role)
          if (!isListed && !isAddressed) leaks.push(`${level}: ${form}`)
        }
      }
    }
    expect(leaks).toEqual([])
    expect(met).toBeGreaterThan(20)
  })

  test('opens, and has its files, for those who may have it', async () => {
    const { video, playlist, mediaKey } = names[asked]
    const statuses = async (url: string) => {
      const answers = await Promise.all(ROLES.map((role) => read(url, role)))
      return answers.map(({ status }) => status)
    }
    const expected = ROLES.map((role) => (MAY[asked].open.includes(role) ? 200 : 404))
    const addresses = [
      `/api/videos/${video}`,
      procedureRequest('playlist.get', { id: Number(playlist) }).url,
      ...Object.keys(FILES).map((name) => `/media/${mediaKey}/${name}`),
    ]
    for (const url of addresses)
      expect({ url, is: await statuses(url) }).toEqual({ url, is: expected })
    expect(await statuses(`/media/${mediaKey}/source`)).toEqual(ROLES.map(() => 404))
  })
})

/** A search that says again what was looked for. */
const isEcho = (url: string, level: Visibility) =>
  url.includes(WORDS[level]) && /^\/(search|feeds\/search)/.test(url)

/** Whether a read names the video, the playlist or the comment itself, and does not look for it. */
const isAddress = (url: string) =>
  !/search|openList|\/feeds\/|sitemap|\/profile\/|listByUser/.test(url)

test('what one may not see answers as what there is not', async () => {
  const shape = async (id: string, role: Role) => {
    const paths = ['/api/videos/{id}', '/api/videos/{id}/comments', '/video/{id}', '/embed/{id}']
    const answers = await Promise.all(paths.map((path) => read(path.replace('{id}', id), role)))
    return answers.map(({ status, text }) => [
      status,
      text.replaceAll(/"(date|etag|content-length)":"[^"]*",?/g, '').replaceAll(id, ''),
    ])
  }
  for (const [level, role] of [
    ['members', 'visitor'],
    ['private', 'visitor'],
    ['private', 'member'],
  ] as const) {
    expect(await shape(names[level].video ?? '', role)).toEqual(
      await shape(String(FIRST_ID - 1), role),
    )
  }
})

test('the log names nothing of what anybody saw', () => {
  expect(log.length).toBeGreaterThan(1000)
  const titles = Object.values(WORDS).flatMap((word) => [`Title ${word}`, `Text ${word}`])
  expect(titles.filter((title) => log.includes(title))).toEqual([])
})
