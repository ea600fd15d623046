import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openPage } from './browser.ts'
import { makeClip } from './clips.ts'
import { register } from './page-member.ts'
import { addRow, addRows, readRow } from './rows.ts'
import { runCommand } from './run-command.ts'
import { startServer } from './server-process.ts'
import { addVideos, writeRows } from './site-rows.ts'

const SEED_PASSWORD = 'clutch-demo'
const CLIP = { width: 480, height: 270, seconds: 30, frameRate: 5 }

export type SavedSession = NonNullable<BrowserContextOptions['storageState']>
export type FullSite = Awaited<ReturnType<typeof startFullSite>>

/**
 * A site in full use: demo content with real files, a member whose every list is filled, and a
 * newcomer whose lists are all empty.
 */
export async function startFullSite(browser: Browser) {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-full-'))
  const dataFolder = join(folder, 'data')
  const clip = await makeClip({ path: join(folder, 'clip.mp4'), ...CLIP })
  const env = { RENDITIONS: '240' }
  const amounts = '--users 12 --videos 16 --comments 60 --seed 7'.split(' ')
  const seeded = await runCommand('seed', { dataFolder, env, args: [...amounts, '--media', clip] })
  if (seeded.code !== 0) throw new Error(seeded.err)
  const server = await startServer({ dataFolder, env })
  const admin = await signInSeeded(server, browser, 1)
  const member = await signInSeeded(server, browser, 2)
  const visitor = await openPage(browser, { origin: server.origin })
  await register(visitor.page, 'newcomer')
  const newcomer = await visitor.page.context().storageState()
  await visitor.page.context().close()
  const ids = await addEveryState(server, member.id)
  return {
    server,
    clip,
    sessions: { visitor: undefined, member: member.session, newcomer, admin: admin.session },
    ids: { ...ids, member: member.id },
    async remove(): Promise<void> {
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** The first member is the admin. */
async function signInSeeded(server: Server, browser: Browser, userId: number) {
  const { id, username } = await writeRows(server, (db) => readRow(db, 'users', { id: userId }))
  const { page } = await openPage(browser, { origin: server.origin })
  await page.request.post('/api/login', { data: { username, password: SEED_PASSWORD } })
  const session = await page.context().storageState()
  await page.context().close()
  return { id, session }
}

/** Gives the member a video in each state. @returns ids of what the addresses of pages name */
function addEveryState(server: Server, userId: number) {
  return writeRows(server, async (db) => {
    const { id: video } = await db
      .selectFrom('videos')
      .select('id')
      .where('userId', '!=', userId)
      .where('isAnonymous', '=', 0)
      .where('contentApproved', '=', 1)
      .orderBy('viewCount', 'desc')
      .executeTakeFirstOrThrow()
    const [processing = 0, failed = 0] = await addVideos(db, [
      { userId, title: 'Still being prepared', processingState: 'processing' },
      {
        ...{ userId, title: 'Could not be prepared', processingState: 'failed' },
        processingError: 'The file is cut off.',
      },
      { userId, title: 'Waits for approval', contentApproved: 0 },
      { userId, title: 'Nobody knows whose', isAnonymous: 1 },
    ])
    const rules = '# Be kind\n\n- Call shots, not names.\n- Upload what is yours.'
    await db.updateTable('siteSettings').set({ rules }).execute()
    const now = timestamp()
    const job = { state: 'running' as const, percent: 42, runAfter: now, createdAt: now }
    await addRows(db, 'jobs', { kind: 'transcode', videoId: processing, startedAt: now, ...job })
    const playlist = await addRow(db, 'playlists', {
      userId,
      kind: 'list',
      title: 'Best rounds',
      createdAt: now,
      updatedAt: now,
    })
    const listed = await db
      .selectFrom('videos')
      .select('id')
      .where('contentApproved', '=', 1)
      .where('processingState', '=', 'ready')
      .limit(6)
      .execute()
    const items = listed.map(({ id: videoId }, position) => ({
      ...{ playlistId: playlist, videoId, position, addedAt: now },
    }))
    await db.insertInto('playlistItems').values(items).execute()
    const list = { userId, kind: 'watch-later' as const, title: 'Watch later' }
    const watchLater = await addRow(db, 'playlists', { ...list, createdAt: now, updatedAt: now })
    const later = items.map((item) => ({ ...item, playlistId: watchLater }))
    await db.insertInto('playlistItems').values(later).execute()
    const { id: channel } = await db
      .selectFrom('users')
      .select('id')
      .where('id', '!=', userId)
      .orderBy('subscriberCount', 'desc')
      .executeTakeFirstOrThrow()
    const poster = await fillChannels(db, { userId, channel, video })
    const squad = await addSquad(db, { userId, video })
    const invite = await addInvite(db)
    const room = await addRoom(db, { userId, video })
    return { video, processing, failed, playlist, channel, poster, squad, room, invite }
  })
}

/** Adds an invite by the admin. @returns its code */
async function addInvite(db: Database): Promise<string> {
  const code = 'come-and-play'
  const codeHash = createHash('sha256').update(code).digest('hex')
  await addRows(db, 'invites', {
    ...{ codeHash, usesMax: 5, createdBy: 1, createdAt: timestamp() },
  })
  return code
}

/** Adds a room of the member, with the video and two messages. @returns its token */
async function addRoom(
  db: Database,
  { userId, video }: { userId: number; video: number },
): Promise<string> {
  const token = 'room'.padEnd(22, '0')
  const now = timestamp()
  const roomId = await addRow(db, 'watchRooms', {
    ...{ token, position: 0, isPaused: 1, at: 0, createdAt: now, lastSeenAt: now },
  })
  const itemId = await addRow(db, 'watchRoomItems', {
    ...{ roomId, place: 0, videoId: video, clipId: null, addedBy: userId },
  })
  await db.updateTable('watchRooms').set({ itemId }).where('id', '=', roomId).execute()
  await addRows(db, 'watchRoomMembers', {
    ...{ roomId, userId, role: 'host', isHere: 0, seenAt: now, joinedAt: now },
  })
  for (const content of ['Ready when you are', 'Watch the door on the left']) {
    await addRows(db, 'watchRoomMessages', { roomId, userId, content, createdAt: now })
  }
  return token
}

/** Adds a squad that the member owns, with other members, a request, an invitation and videos. */
async function addSquad(
  db: Database,
  { userId, video }: { userId: number; video: number },
): Promise<number> {
  const createdAt = timestamp()
  const squadId = await addRow(db, 'squads', {
    ...{ name: 'Night Owls', tag: 'OWL', foldedTag: 'owl', colour: 'violet', emblem: 'moon' },
    ...{ description: 'We play after midnight, Rust mostly. No shouting.', joining: 'request' },
    ...{ memberCount: 6, createdAt },
  })
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '!=', userId)
    .where('bannedAt', 'is', null)
    .orderBy('id')
    .limit(7)
    .execute()
  const [asking = userId, invited = userId, ...others] = rows.map(({ id }) => id)
  await addRows(db, 'squadMembers', [
    { squadId, userId, role: 'owner', joinedAt: createdAt },
    ...others.map((id, index) => ({
      ...{ squadId, userId: id, joinedAt: createdAt },
      role: index === 0 ? ('officer' as const) : ('member' as const),
    })),
  ])
  await addRows(db, 'squadRequests', { squadId, userId: asking, createdAt })
  await addRows(db, 'squadInvites', { squadId, userId: invited, createdAt })
  const videos = await db
    .selectFrom('videos')
    .select('id')
    .where('contentApproved', '=', 1)
    .where('processingState', '=', 'ready')
    .where('isAnonymous', '=', 0)
    .where('userId', 'in', others)
    .where('id', '!=', video)
    .orderBy('id')
    .limit(3)
    .execute()
  await db
    .updateTable('videos')
    .set({ visibility: 'private', squadId })
    .where(
      'id',
      'in',
      videos.map(({ id }) => id),
    )
    .execute()
  return squadId
}

/**
 * Gives the video's owner and the member posts, the first with a comment, the member a channel to
 * feature, and the video two who played along. @returns the video's owner
 */
async function fillChannels(
  db: Database,
  { userId, channel, video }: { userId: number; channel: number; video: number },
): Promise<number> {
  const { userId: poster } = await readRow(db, 'videos', { id: video })
  const createdAt = timestamp()
  const post = { content: 'We play at nine: https://example.org', createdAt }
  const postId = await addRow(db, 'posts', { ...post, channelId: poster, videoId: video })
  await addRows(db, 'posts', { ...post, channelId: userId })
  await addRows(db, 'comments', { postId, userId, content: 'I am in', createdAt })
  await addRows(db, 'featuredChannels', { userId, channelId: channel, position: 1 })
  const newcomer = sql<number>`(SELECT max("id") FROM "users")`
  await db
    .insertInto('participants')
    .values([userId, newcomer].map((id) => ({ videoId: video, userId: id, state: 'named' })))
    .execute()
  return poster
}
