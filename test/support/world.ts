import { createHash } from 'node:crypto'
import { startSession } from '#server/account/auth/lucia.ts'
import { hashPassword } from '#server/account/auth/password.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { addRows } from './rows.ts'
import { storeFiles } from './stored-files.ts'
import type { TestMember, TestSite } from './test-site.ts'

export const PASSWORD = 'correct horse'

let passwordHash: Promise<string> | undefined
let count = 0

/** Ids of rows, by the name that a request may speak of them with: '{video}'. */
export type World = { people: Record<Role, TestMember | undefined>; names: Record<string, string> }
export type Role = 'visitor' | 'owner' | 'other' | 'admin' | 'ended'

/**
 * A new owner with one of everything, and three who ask for it: another member, an admin, and one
 * whose session is over. A host owns the public video that all of them comment on.
 */
export async function makeWorld(site: TestSite): Promise<World> {
  const number = ++count
  const mark = number.toString(36)
  const key = (letter: string) => letter + number.toString(16).padStart(31, '0')
  const host = await site.addMember(`host-${mark}`)
  const owner = await addMemberWithPassword(site, `owner-${mark}`)
  const other = await addMemberWithPassword(site, `other-${mark}`)
  const admin = await addMemberWithPassword(site, `admin-${mark}`, { isAdmin: true })
  const ended = await site.addMember(`ended-${mark}`)
  await site.db.deleteFrom('sessions').where('userId', '=', ended.id).execute()
  const { db } = site

  const publicFiles = { mediaKey: key('c'), videoUrl: `/media/${key('c')}/video.mp4` }
  const publicVideo = await site.addVideo(host, { duration: 60, ...publicFiles })
  const files = { videoUrl: `/media/${key('a')}/video.mp4` }
  const video = await site.addVideo(owner, {
    mediaKey: key('a'),
    ...files,
    thumbnailUrl: null,
    duration: 60,
  })
  const hiddenFiles = {
    videoUrl: `/media/${key('b')}/video.mp4`,
    contentApproved: 0 as const,
    duration: 60,
  }
  const hidden = await site.addVideo(owner, { mediaKey: key('b'), ...hiddenFiles })
  for (const letter of ['a', 'b']) {
    await storeFiles(site, key(letter), { 'video.mp4': 'bytes' })
  }
  const createdAt = timestamp()
  await addRows(db, 'mediaFiles', {
    videoId: video,
    name: 'captions-1.vtt',
    kind: 'captions',
    bytes: 10,
  })
  const insert = async (query: { executeTakeFirstOrThrow: () => Promise<{ id: number }> }) =>
    (await query.executeTakeFirstOrThrow()).id
  const comment = await insert(
    db
      .insertInto('comments')
      .values({ videoId: publicVideo, userId: owner.id, content: 'Nice', createdAt })
      .returning('id'),
  )
  const addPost = (fields: { withheld?: 'hidden' }) => {
    const post = { channelId: owner.id, content: 'Hello', createdAt, ...fields }
    return insert(db.insertInto('posts').values(post).returning('id'))
  }
  const post = await addPost({})
  const hiddenPost = await addPost({ withheld: 'hidden' })
  await addRows(
    db,
    'featuredChannels',
    [owner, other, admin].map(({ id }) => ({ userId: id, channelId: host.id, position: 1 })),
  )
  const named = await site.addMember(`named-${mark}`)
  await addRows(db, 'participants', [
    { videoId: video, userId: named.id, state: 'named' },
    { videoId: publicVideo, userId: other.id, state: 'named' },
  ])
  const captions = await insert(
    db
      .insertInto('captions')
      .values({
        videoId: video,
        language: 'en',
        label: 'English',
        file: 'captions-1.vtt',
        createdAt,
      })
      .returning('id'),
  )
  const addPlaylist = (visibility: 'public' | 'private') => {
    const list = { userId: owner.id, kind: 'list' as const, title: 'Best of', visibility }
    const row = { ...list, createdAt, updatedAt: createdAt }
    return insert(db.insertInto('playlists').values(row).returning('id'))
  }
  const playlist = await addPlaylist('public')
  const privateList = await addPlaylist('private')
  for (const playlistId of [playlist, privateList]) {
    const item = { playlistId, videoId: publicVideo, position: 1, addedAt: createdAt }
    await db.insertInto('playlistItems').values(item).execute()
  }
  const squad = await insert(
    db
      .insertInto('squads')
      .values({
        ...{ name: 'Owls', tag: mark.toUpperCase(), foldedTag: `w${mark}`, colour: 'violet' },
        ...{ emblem: 'moon', joining: 'open', memberCount: 2, createdAt },
      })
      .returning('id'),
  )
  await addRows(db, 'squadMembers', [
    { squadId: squad, userId: owner.id, role: 'owner', joinedAt: createdAt },
    { squadId: squad, userId: named.id, role: 'member', joinedAt: createdAt },
  ])
  const level = { visibility: 'private', squadId: squad } as const
  const squadVideo = await site.addVideo(named, { title: 'For the squad', ...level })
  await addRows(db, 'squadRequests', { squadId: squad, userId: host.id, createdAt })
  await addRows(db, 'squadInvites', { squadId: squad, userId: ended.id, createdAt })
  const shareToken = mark.padStart(22, '_')
  const addRoom = async (token: string, allowsGuests: Flag) => {
    const state = { position: 0, isPaused: 1 as const, at: 0, allowsGuests }
    const row = { token, ...state, createdAt, lastSeenAt: createdAt }
    const roomId = await insert(db.insertInto('watchRooms').values(row).returning('id'))
    const itemId = await insert(
      db
        .insertInto('watchRoomItems')
        .values({ roomId, place: 0, videoId: video, clipId: null, addedBy: owner.id })
        .returning('id'),
    )
    await db.updateTable('watchRooms').set({ itemId }).where('id', '=', roomId).execute()
    const here = { roomId, isHere: 1, seenAt: createdAt, joinedAt: createdAt } as const
    await addRows(db, 'watchRoomMembers', [
      { ...here, userId: owner.id, role: 'host' },
      { ...here, userId: named.id, role: 'watches' },
    ])
    return itemId
  }
  const room = mark.padStart(22, '-')
  const guestRoom = mark.padStart(22, '0')
  const squadView = await insert(db.insertInto('squadViews').values({ createdAt }).returning('id'))
  const othersVideo = await site.addVideo(other, { duration: 60 })
  await addRows(
    db,
    'squadViewVideos',
    [video, publicVideo].map((videoId, index) => ({
      ...{ squadViewId: squadView, videoId, state: 'in' as const, alignment: 'hand' as const },
      ...{ offsetSeconds: index, mediaKey: key(index === 0 ? 'a' : 'c') },
    })),
  )
  await addRows(db, 'squadViewVideos', {
    ...{ squadViewId: squadView, videoId: othersVideo, state: 'asked', alignment: 'waiting' },
    ...{ offsetSeconds: null, mediaKey: key('d') },
  })
  const roomItem = await addRoom(room, 0)
  await addRoom(guestRoom, 1)
  const clip = await insert(
    db
      .insertInto('clips')
      .values({
        ...{ videoId: video, userId: owner.id, title: 'A clip', foldedTitle: 'a clip' },
        ...{ startSeconds: 1, endSeconds: 4, createdAt },
      })
      .returning('id'),
  )
  const fetch = await insert(
    db
      .insertInto('fetches')
      .values({
        ...{ userId: owner.id, state: 'failed', url: 'https://a.example/a.mp4' },
        ...{ fileName: 'a.mp4', details: '{"title":"A clip"}', createdAt, runAfter: createdAt },
      })
      .returning('id'),
  )
  const moment = await insert(
    db
      .insertInto('moments')
      .values({
        ...{ videoId: video, userId: owner.id, source: 'mark', atSeconds: 8, weight: 1, createdAt },
      })
      .returning('id'),
  )
  const shareLink = await insert(
    db
      .insertInto('shareLinks')
      .values({
        ...{ videoId: video, playlistId: null, createdBy: owner.id, createdAt },
        tokenHash: createHash('sha256').update(shareToken).digest('hex'),
      })
      .returning('id'),
  )
  const notification = await insert(
    db
      .insertInto('notifications')
      .values({ userId: owner.id, type: 'like', title: 'New like', message: 'Somebody', createdAt })
      .returning('id'),
  )
  const report = await insert(
    db
      .insertInto('reports')
      .values({
        ...{ kind: 'video', videoId: publicVideo, subject: 'A title', reason: 'Spam' },
        ...{ state: 'open', createdAt },
      })
      .returning('id'),
  )
  const invite = await insert(
    db.insertInto('invites').values({ codeHash: mark, usesMax: 1, createdAt }).returning('id'),
  )
  const startedAt = createdAt
  const backup = await insert(
    db
      .insertInto('backups')
      .values({ name: mark, cause: 'asked', state: 'done', startedAt })
      .returning('id'),
  )
  const upload = await site.post('/api/uploads/initialize', {
    as: owner,
    payload: { fileName: 'clip.mp4', fileSize: 5, metadata: { title: 'A clip' } },
  })
  await startSession(site.deps.sessions, { userId: owner.id, rememberMe: false, userAgent: 'Old' })
  const apiToken = await insert(
    db
      .insertInto('apiTokens')
      .values({ userId: owner.id, name: 'ShareX', scope: 'upload', tokenHash: mark, createdAt })
      .returning('id'),
  )
  const passkey = await insert(
    db
      .insertInto('passkeys')
      .values({
        ...{ userId: owner.id, credentialId: `passkey-${mark}`, userHandle: mark, publicKey: '' },
        ...{ counter: 0, transports: '[]', name: 'Phone', isBackedUp: 0, createdAt },
      })
      .returning('id'),
  )
  const sessions = await db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', owner.id)
    .where('userAgent', '=', 'Old')
    .execute()

  return {
    people: { visitor: undefined, owner, other, admin, ended },
    names: {
      owner: `${owner.id}`,
      passkey: `${passkey}`,
      other: `${other.id}`,
      host: `${host.id}`,
      named: `${named.id}`,
      publicVideo: `${publicVideo}`,
      video: `${video}`,
      hidden: `${hidden}`,
      videoFile: files.videoUrl,
      publicFile: files.videoUrl.replace('/media/', '/cdn/'),
      hiddenFile: hiddenFiles.videoUrl,
      hiddenPublicFile: hiddenFiles.videoUrl.replace('/media/', '/cdn/'),
      captions: `${captions}`,
      comment: `${comment}`,
      post: `${post}`,
      hiddenPost: `${hiddenPost}`,
      squad: `${squad}`,
      squadVideo: `${squadVideo}`,
      freeTag: `N${mark}`,
      endedId: `${ended.id}`,
      playlist: `${playlist}`,
      privateList: `${privateList}`,
      shareLink: `${shareLink}`,
      clip: `${clip}`,
      moment: `${moment}`,
      shareToken,
      room,
      guestRoom,
      roomItem: `${roomItem}`,
      squadView: `${squadView}`,
      othersVideo: `${othersVideo}`,
      notification: `${notification}`,
      report: `${report}`,
      invite: `${invite}`,
      backup: `${backup}`,
      upload: upload.json().uploadId,
      apiToken: `${apiToken}`,
      session: sessions[0]?.id.slice(0, 16) ?? '',
      fetch: `${fetch}`,
      unique: `new-${mark}`,
    },
  }
}

/** A member who can log in with PASSWORD. */
export async function addMemberWithPassword(
  site: TestSite,
  username: string,
  options: Parameters<TestSite['addMember']>[1] = {},
): Promise<TestMember> {
  passwordHash ??= hashPassword(PASSWORD)
  return site.addMember(username, { ...options, passwordHash: await passwordHash })
}
