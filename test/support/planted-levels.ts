import { timestamp } from '#server/platform/db/database.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import {
  VISIBILITIES,
  type VideoLevel,
  type Visibility,
} from '#shared/schemas/visibility.schemas.ts'
import { answerOf } from './procedure-call.ts'
import { addRow, addRows, changeRows } from './rows.ts'
import { storeFiles } from './stored-files.ts'
import type { TestMember, TestSite } from './test-site.ts'

/** `rival` is in another squad than that of the level, and `former` was in it; both see what a member sees. */
export const ROLES = ['visitor', 'member', 'named', 'owner', 'admin', 'rival', 'former'] as const
export type Role = (typeof ROLES)[number]
export type People = Record<Exclude<Role, 'visitor'>, TestMember> & { visitor: undefined }
/** What stands for `{video}` and the like in an address, by its name. */
export type Names = Record<string, string>

export const LEVELS: readonly VideoLevel[] = [...VISIBILITIES, 'squad']

/** In every text of what is of a level, and nowhere else. */
export const WORDS: Record<VideoLevel, string> = {
  public: 'zubrowka',
  members: 'quokkanym',
  unlisted: 'wombleton',
  private: 'yggdraxil',
  squad: 'jabberwock',
}

/** The id of a video that does not exist. */
const ARRIVING_ID = 900_000

/** One of each kind that a media folder holds. */
export const FILES = {
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
  'clip-1.mp4': 'share',
  'clip-1.jpg': 'picture',
} as const

export async function addPeople(site: TestSite): Promise<People> {
  const owner = await site.addMember('owner')
  const named = await site.addMember('named')
  const admin = await site.addMember('admin', { isAdmin: true })
  const member = await site.addMember('member')
  const rival = await site.addMember('rival')
  const former = await site.addMember('former')
  for (const { id: subscriberId } of [named, admin, member, rival, former]) {
    const subscription = { subscriberId, channelId: owner.id, subscribedAt: timestamp() }
    await site.db.insertInto('subscriptions').values(subscription).execute()
  }
  return { visitor: undefined, owner, named, admin, member, rival, former }
}

/** Gives the owner a video and a playlist of each level, with all that may hang on them. */
export async function plantLevels(
  site: TestSite,
  people: People,
  levels: readonly VideoLevel[] = LEVELS,
): Promise<Record<VideoLevel, Names>> {
  const names = {} as Record<VideoLevel, Names>
  for (const level of levels) names[level] = await plant(site, people, level)
  await site.index()
  return names
}

async function plant(site: TestSite, people: People, level: VideoLevel): Promise<Names> {
  const { owner, named } = people
  const word = WORDS[level]
  const mediaKey = crypto.randomUUID().replaceAll('-', '')
  const visibility = level === 'squad' ? 'private' : level
  const squadId = level === 'squad' ? await plantSquad(site, people) : null
  const id = await plantVideo(site, { owner, mediaKey, visibility, squadId, word })
  const comment = await plantComments(site, { id, word, owner })
  const post = await plantTraces(site, { id, word, people, squadId })
  const clip = await plantClip(site, { id, word, owner })
  await plantMoment(site, { id, word })
  const lists = await plantPlaylists(site, { id, word, people, visibility })
  if (visibility === 'private') {
    const { db } = site
    if (level === 'private') {
      await db.insertInto('videoMembers').values({ videoId: id, userId: named.id }).execute()
    }
    const holder = { playlistId: lists.own, userId: named.id }
    await db.insertInto('playlistMembers').values(holder).execute()
  }
  return {
    word,
    typo: `${word.slice(0, 3)}x${word.slice(3)}`,
    begin: word.slice(0, 4),
    mediaKey,
    video: `${id}`,
    comment: `${comment}`,
    post: `${post}`,
    clip: `${clip}`,
    playlist: `${lists.own}`,
    openList: `${lists.open}`,
    owner: `${owner.id}`,
    named: `${named.id}`,
    squad: `${squadId}`,
    arriving: `${await plantArriving(site, { owner, videoId: id, visibility, squadId, word })}`,
    room: await plantRoom(site, { owner, videoId: id, clipId: clip }),
    ...(await plantLinks(site, { owner, videoId: id })),
    ...(await plantSquadView(site, { people, videoId: id, mediaKey })),
  }
}

/** Puts the video beside one that everybody may watch who has its address. */
async function plantSquadView(
  site: TestSite,
  input: { people: People; videoId: number; mediaKey: string },
) {
  const { people, videoId, mediaKey } = input
  const companyKey = crypto.randomUUID().replaceAll('-', '')
  const company = await site.addVideo(people.rival, {
    ...{ title: 'From the other side', visibility: 'unlisted', mediaKey: companyKey },
    videoUrl: mediaUrl(companyKey, 'video.mp4'),
  })
  const squadViewId = await addRow(site.db, 'squadViews', { createdAt: timestamp() })
  const row = { squadViewId, state: 'in', alignment: 'hand', offsetSeconds: 0 } as const
  await addRows(site.db, 'squadViewVideos', [
    { ...row, videoId, mediaKey },
    { ...row, videoId: company, mediaKey: companyKey },
  ])
  const as = people.owner
  const create = { as, name: 'watchRoom.create', input: { squadViewId } }
  const { token } = await answerOf<{ token: string }>(site, create)
  await answerOf(site, { as, name: 'watchRoom.edit', input: { token, allowsGuests: true } })
  return { squadView: `${squadViewId}`, company: `${company}`, squadRoom: token }
}

/** Adds a squad of the owner and the named member, which another member has left, and a squad of a rival. */
async function plantSquad(site: TestSite, people: People): Promise<number> {
  const { owner, named, rival, former } = people
  const { db } = site
  const now = timestamp()
  const squadId = await addRow(db, 'squads', {
    ...{ name: 'Owls', tag: 'OWL', foldedTag: 'owl', colour: 'violet', emblem: 'moon' },
    ...{ joining: 'open', memberCount: 2, createdAt: now },
  })
  await addRows(db, 'squadMembers', [
    { squadId, userId: owner.id, role: 'owner', joinedAt: now },
    { squadId, userId: named.id, role: 'member', joinedAt: now },
  ])
  for (const name of ['squad.join', 'squad.leave']) {
    await answerOf(site, { as: former, name, input: { id: squadId } })
  }
  const others = { name: 'Rivals', tag: 'RIV', colour: 'red', emblem: 'skull', joining: 'open' }
  await answerOf(site, { as: rival, name: 'squad.create', input: others })
  return squadId
}

async function plantVideo(
  site: TestSite,
  input: {
    owner: TestMember
    mediaKey: string
    visibility: Visibility
    squadId: number | null
    word: string
  },
): Promise<number> {
  const { owner, mediaKey, visibility, squadId, word } = input
  const url = (name: keyof typeof FILES) => mediaUrl(mediaKey, name)
  const id = await site.addVideo(owner, {
    title: `Title ${word}`,
    description: `Text ${word}`,
    tags: JSON.stringify([word]),
    ...{ visibility, squadId, mediaKey, duration: 5, storyboardUrl: url('storyboard.vtt') },
    ...{ videoUrl: url('video.mp4'), hlsUrl: url('master.m3u8'), shareUrl: url('share.mp4') },
    ...{ thumbnailUrl: url('poster.jpg'), cardUrl: url('card.webp') },
  })
  for (const [name, kind] of Object.entries(FILES)) {
    await storeFiles(site, mediaKey, { [name]: `${name} ${word}` })
    await site.db.insertInto('mediaFiles').values({ videoId: id, name, kind, bytes: 20 }).execute()
  }
  await storeFiles(site, mediaKey, { source: `source ${word}` })
  const captions = { language: 'en', label: `Captions ${word}`, file: 'captions-1.vtt' }
  await addRows(site.db, 'captions', { videoId: id, ...captions, createdAt: timestamp() })
  return id
}

/** An upload that has not ended. @returns the id that its video will have */
async function plantArriving(
  { db }: TestSite,
  input: {
    owner: TestMember
    videoId: number
    visibility: Visibility
    squadId: number | null
    word: string
  },
): Promise<number> {
  const { owner, videoId, visibility, squadId, word } = input
  const reservedVideoId = ARRIVING_ID + videoId
  const key = crypto.randomUUID().replaceAll('-', '')
  await addRows(db, 'uploads', {
    ...{ id: key, mediaKey: key, userId: owner.id, state: 'receiving', reservedVideoId },
    ...{ fileName: 'match.mp4', fileSize: 5, chunkCount: 1, title: `Arriving ${word}` },
    ...{ description: '', category: 'Other', tags: '[]', isAnonymous: 0, visibility, squadId },
    ...{ createdAt: timestamp(), touchedAt: timestamp(), aliveAt: timestamp() },
  })
  return reservedVideoId
}

async function plantComments(
  { db }: TestSite,
  { id, word, owner }: { id: number; word: string; owner: TestMember },
): Promise<number> {
  const insert = async (parentId: number | null) => {
    const said = { videoId: id, userId: owner.id, content: `Comment ${word}`, parentId }
    const row = { ...said, createdAt: timestamp() }
    return db.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow()
  }
  const comment = await insert(null)
  await insert(comment.id)
  return comment.id
}

/** As a recorder named it. */
async function plantMoment({ db }: TestSite, { id, word }: { id: number; word: string }) {
  const found = { userId: null, source: 'chapter', weight: 1, createdAt: timestamp() } as const
  await addRows(db, 'moments', { ...found, videoId: id, atSeconds: 2, title: `Marker ${word}` })
}

/** A clip with a comment of its own. */
async function plantClip(
  { db }: TestSite,
  { id: videoId, word, owner }: { id: number; word: string; owner: TestMember },
): Promise<number> {
  const now = timestamp()
  const title = `Clip ${word}`
  const clip = await db
    .insertInto('clips')
    .values({
      ...{ videoId, userId: owner.id, title, foldedTitle: title.toLowerCase() },
      ...{ startSeconds: 1, endSeconds: 4, createdAt: now },
      ...{ fileState: 'made', shareFile: 'clip-1.mp4', pictureFile: 'clip-1.jpg' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const said = { videoId, clipId: clip.id, userId: owner.id, content: `Said of a clip ${word}` }
  await addRows(db, 'comments', { ...said, createdAt: now })
  return clip.id
}

/**
 * Adds what all roles did with the video while they could see it, and their notifications about it.
 * A squad's video also gets a post. @returns the post
 */
async function plantTraces(
  { db }: TestSite,
  input: { id: number; word: string; people: People; squadId: number | null },
): Promise<number> {
  const { id, word, people, squadId } = input
  const { owner, named, member, admin, rival, former } = people
  const now = timestamp()
  const day = now.slice(0, 10)
  await db.insertInto('dailyViews').values({ day, videoId: id, count: 5 }).execute()
  await db.updateTable('videos').set({ viewCount: 5, likeCount: 4 }).where('id', '=', id).execute()
  const postId = await plantPost(db, { id, word, owner, squadId })
  for (const { id: userId } of [owner, named, member, admin, rival, former]) {
    await addRows(db, 'likes', { userId, videoId: id, isLike: 1, createdAt: now })
    const seen = { userId, videoId: id, positionSeconds: 1, watchedAt: now }
    await db.insertInto('history').values(seen).execute()
    const told = { title: `Told ${word}`, message: `Told ${word}`, sourceUserId: owner.id }
    await addRows(db, 'notifications', {
      userId,
      type: 'upload',
      ...told,
      videoId: id,
      createdAt: now,
    })
    if (squadId === null) continue
    const ofPost = { userId, type: 'subscription' as const, ...told, postId, createdAt: now }
    await addRows(db, 'notifications', ofPost)
  }
  const played = { videoId: id, userId: named.id, state: 'named' as const }
  await db.insertInto('participants').values(played).execute()
  return postId
}

async function plantPost(
  db: TestSite['db'],
  input: { id: number; word: string; owner: TestMember; squadId: number | null },
): Promise<number> {
  const { id: videoId, word, owner, squadId } = input
  const createdAt = timestamp()
  if (squadId === null) {
    return addRow(db, 'posts', { channelId: owner.id, content: 'Look', videoId, createdAt })
  }
  const content = `Post ${word}`
  const postId = await addRow(db, 'posts', { channelId: owner.id, content, squadId, createdAt })
  const said = { postId, userId: owner.id, content: `Said of a post ${word}`, createdAt }
  await addRows(db, 'comments', said)
  return postId
}

async function plantPlaylists(
  { db }: TestSite,
  input: { id: number; word: string; people: People; visibility: Visibility },
) {
  const { id, word, people, visibility } = input
  const now = timestamp()
  const insert = async (userId: number, title: string, level: Visibility) => {
    const list = { userId, kind: 'list' as const, title, visibility: level }
    const playlistId = await addRow(db, 'playlists', { ...list, createdAt: now, updatedAt: now })
    const item = { playlistId, videoId: id, position: 1, addedAt: now }
    await db.insertInto('playlistItems').values(item).execute()
    return playlistId
  }
  return {
    own: await insert(people.owner.id, `List ${word}`, visibility),
    open: await insert(people.member.id, 'For everybody', 'public'),
  }
}

/** Tokens of links to the video: one that works, one that expired, and one that was revoked. */
/** A room for everybody, whose queue has the video and the clip. @returns its token */
async function plantRoom(
  site: TestSite,
  { owner: as, ...input }: { owner: TestMember; videoId: number; clipId: number },
): Promise<string> {
  const { videoId, clipId } = input
  const call = { as, name: 'watchRoom.create', input: { videoId } }
  const { token } = await answerOf<{ token: string }>(site, call)
  await answerOf(site, { as, name: 'watchRoom.addItem', input: { token, clipId } })
  await answerOf(site, { as, name: 'watchRoom.edit', input: { token, allowsGuests: true } })
  return token
}

async function plantLinks(site: TestSite, input: { owner: TestMember; videoId: number }) {
  const { owner: as, videoId } = input
  const make = async (change: object = {}) => {
    const call = { as, name: 'shareLink.create', input: { videoId } }
    const { id, url } = await answerOf<{ id: number; url: string }>(site, call)
    await changeRows(site.db, 'shareLinks', {
      where: { id },
      values: { lastUsedAt: null, ...change },
    })
    return url.slice(-22)
  }
  return {
    live: await make(),
    expired: await make({ expiresAt: timestamp(new Date(Date.now() - 1000)) }),
    revoked: await make({ revokedAt: timestamp() }),
  }
}
