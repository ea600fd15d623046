import { type RawBuilder, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { eachOf } from '#server/platform/db/expressions.ts'
import { decodeSortCursor, toSortedPage } from '#server/platform/db/paging.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { PlaylistsTable } from '#server/platform/db/tables/playlist.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Playlist } from '#shared/schemas/library.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { isListedPlaylist, isVisibleInPlaylist, isVisiblePlaylist } from './playlist.access.ts'

type Asking = { viewer: Viewer | undefined }

/** Count and first picture of videos visible to `viewer`. */
function selectPlaylists(db: Database, input: Asking & { videoId?: number | undefined }) {
  const visibleItems = sql`
    FROM "playlistItems" JOIN "videos" ON "videos"."id" = "playlistItems"."videoId"
    WHERE "playlistItems"."playlistId" = "playlists"."id" AND ${isVisibleInPlaylist(input.viewer)}`
  const containsVideo: RawBuilder<Flag> =
    input.videoId === undefined
      ? sql`0`
      : sql`EXISTS (
          SELECT 1 FROM "playlistItems"
          WHERE "playlistItems"."playlistId" = "playlists"."id" AND "playlistItems"."videoId" = ${input.videoId}
        )`
  return db
    .selectFrom('playlists')
    .innerJoin('users', 'users.id', 'playlists.userId')
    .select([
      'playlists.id',
      'playlists.userId',
      'playlists.kind',
      'playlists.title',
      'playlists.description',
      'playlists.visibility',
      'playlists.createdAt',
      'playlists.updatedAt',
      'users.username',
      'users.displayName',
    ])
    .select([
      sql<number>`(SELECT count(*) ${visibleItems})`.as('videoCount'),
      sql<
        string | null
      >`(SELECT "videos"."thumbnailUrl" ${visibleItems} ORDER BY "playlistItems"."position" LIMIT 1)`.as(
        'thumbnailUrl',
      ),
      containsVideo.as('containsVideo'),
    ])
    .where('users.bannedAt', 'is', null)
}

type PlaylistSelection = Awaited<ReturnType<ReturnType<typeof selectPlaylists>['execute']>>[number]

/**
 * Latest change first.
 * @param input.all also unlisted ones
 */
export async function listPlaylists(
  db: Database,
  input: Asking & { userId: number; all: boolean; videoId?: number | undefined },
): Promise<Playlist[]> {
  let query = selectPlaylists(db, input)
    .where('playlists.userId', '=', input.userId)
    .orderBy('playlists.updatedAt', 'desc')
    .orderBy('playlists.id', 'desc')
  if (!input.all) query = query.where(isListedPlaylist(input.viewer))
  return (await query.execute()).map(toPlaylist)
}

export async function findPlaylist(
  db: Database,
  input: Asking & { id: number },
): Promise<Playlist | undefined> {
  const row = await selectPlaylists(db, input)
    .where('playlists.id', '=', input.id)
    .where(isVisiblePlaylist(input.viewer))
    .executeTakeFirst()
  return row && toPlaylist(row)
}

const POSITION = 'position'

export async function listPlaylistVideos(
  db: Database,
  input: Asking & PageInput & { playlistId: number },
): Promise<Page<Video>> {
  const { playlistId, viewer, limit, cursor } = input
  let query = selectVideos(db, input)
    .innerJoin('playlistItems', 'playlistItems.videoId', 'videos.id')
    .select('playlistItems.position')
    .where('playlistItems.playlistId', '=', playlistId)
    .where(isVisibleInPlaylist(viewer))
  if (cursor) {
    const { key, id } = decodeSortCursor(cursor, POSITION)
    // The page's last video may have been moved or removed.
    const position = sql<number>`coalesce(
      (SELECT "position" FROM "playlistItems" WHERE "playlistId" = ${playlistId} AND "videoId" = ${id}),
      ${key}
    )`
    query = query.where('playlistItems.position', '>', position)
  }
  const rows = await query
    .orderBy('playlistItems.position')
    .limit(limit + 1)
    .execute()
  return toSortedPage(rows, limit, {
    position: ({ position, id }) => ({ sort: POSITION, key: position, id }),
    item: (row) => toVideo(row, viewer),
  })
}

/** In playlist order. */
export async function listVisibleVideoIds(
  db: Database,
  input: Asking & { playlistId: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('playlistItems')
    .innerJoin('videos', 'videos.id', 'playlistItems.videoId')
    .select('videos.id')
    .where('playlistItems.playlistId', '=', input.playlistId)
    .where(isVisibleInPlaylist(input.viewer))
    .orderBy('playlistItems.position')
    .execute()
  return rows.map(({ id }) => id)
}

export async function countPlaylists(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('playlists')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertPlaylist(
  db: Database,
  playlist: Pick<PlaylistsTable, 'userId' | 'title'> & {
    description: string
    visibility: Visibility
  },
): Promise<number> {
  const now = timestamp()
  const { id } = await db
    .insertInto('playlists')
    .values({
      ...playlist,
      kind: 'list',
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function upsertWatchLater(db: Database, userId: number): Promise<number> {
  const now = timestamp()
  await db
    .insertInto('playlists')
    .values({
      userId,
      kind: 'watch-later',
      title: 'Watch later',
      visibility: 'private',
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findWatchLater(db, userId)) as number
}

export async function findWatchLater(db: Database, userId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('playlists')
    .select('id')
    .where('userId', '=', userId)
    .where('kind', '=', sql.lit('watch-later'))
    .executeTakeFirst()
  return row?.id
}

export async function updatePlaylist(
  db: Database,
  input: { id: number; change: { title?: string; description?: string; visibility?: Visibility } },
): Promise<void> {
  await db
    .updateTable('playlists')
    .set({ ...input.change, updatedAt: timestamp() })
    .where('id', '=', input.id)
    .execute()
}

export async function deletePlaylist(db: Database, id: number): Promise<void> {
  await db.deleteFrom('playlists').where('id', '=', id).execute()
}

type Item = { playlistId: number; videoId: number }

/** Appends the video unless it is there. */
export async function insertPlaylistItem(db: DatabaseTransaction, item: Item): Promise<void> {
  await sql`
    INSERT INTO "playlistItems" ("playlistId", "videoId", "position", "addedAt")
    SELECT ${item.playlistId}, ${item.videoId}, coalesce(max("position"), 0) + 1, ${timestamp()}
    FROM "playlistItems" WHERE "playlistId" = ${item.playlistId}
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function countPlaylistItems(db: Database, playlistId: number): Promise<number> {
  const { count } = await db
    .selectFrom('playlistItems')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('playlistId', '=', playlistId)
    .executeTakeFirstOrThrow()
  return count
}

export async function deletePlaylistItem(db: Database, item: Item): Promise<void> {
  await db
    .deleteFrom('playlistItems')
    .where('playlistId', '=', item.playlistId)
    .where('videoId', '=', item.videoId)
    .execute()
}

export async function listPlaylistVideoIds(db: Database, playlistId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('playlistItems')
    .select('videoId')
    .where('playlistId', '=', playlistId)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.videoId)
}

export async function updatePlaylistOrder(
  db: DatabaseTransaction,
  input: { playlistId: number; videoIds: number[] },
): Promise<void> {
  await sql`
    UPDATE "playlistItems" SET "position" = "placed"."key" + 1
    FROM ${eachOf(input.videoIds)} AS "placed"
    WHERE "playlistId" = ${input.playlistId} AND "videoId" = "placed"."value"`.execute(db)
}

function toPlaylist(row: PlaylistSelection): Playlist {
  const { username, displayName, containsVideo, ...fields } = row
  return {
    ...fields,
    isPublic: row.visibility === 'public',
    containsVideo: containsVideo === 1,
    owner: { id: row.userId, username, displayName },
  }
}
