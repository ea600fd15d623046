import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf, timeIn } from '#server/platform/db/expressions.ts'
import { toFlag } from '#server/platform/db/tables/column.ts'
import type { WatchRoomRow } from '#server/platform/db/tables/watch-room.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { selectClips, toClips } from '#server/video/clip/clip.queries.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { SquadView } from '#shared/schemas/squad-view.schemas.ts'
import type { RoomItem } from '#shared/schemas/watch-room.schemas.ts'
import type { RoomPlayback } from '#shared/watch-rooms.ts'
import { findSquadView } from '../squad-view/squad-view.service.ts'

type Asking = { viewer: Viewer | undefined }

/** Returns the milliseconds of the database's clock, which all nodes share. */
export async function findServerTime(db: Database): Promise<number> {
  const { rows } = await sql<{ now: string }>`SELECT ${timeIn(0)} AS "now"`.execute(db)
  return Date.parse(rows[0]?.now ?? '')
}

export async function findRoom(db: Database, token: string): Promise<WatchRoomRow | undefined> {
  return db.selectFrom('watchRooms').selectAll().where('token', '=', token).executeTakeFirst()
}

export function toPlayback(room: WatchRoomRow): RoomPlayback {
  const { itemId, position, rate, isPaused, at, version } = room
  return { itemId, position, rate, isPaused: isPaused === 1, at, version }
}

/** Also returns the id of the video that plays, without checking who may watch it. */
export async function findRoomPlayback(
  db: Database,
  roomId: number,
): Promise<{ playback: RoomPlayback; videoId: number | null } | undefined> {
  const row = await db
    .selectFrom('watchRooms')
    .leftJoin('watchRoomItems', 'watchRoomItems.id', 'watchRooms.itemId')
    .selectAll('watchRooms')
    .select('watchRoomItems.videoId')
    .where('watchRooms.id', '=', roomId)
    .executeTakeFirst()
  return row && { playback: toPlayback(row), videoId: row.videoId }
}

export async function insertRoom(
  db: DatabaseTransaction,
  room: { token: string; position: number; at: number },
): Promise<number> {
  const { id } = await db
    .insertInto('watchRooms')
    .values({ ...room, itemId: null, isPaused: 1, createdAt: timeIn(0), lastSeenAt: timeIn(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePlayback(
  db: Database,
  { roomId, ...playback }: Omit<RoomPlayback, 'version'> & { roomId: number },
): Promise<void> {
  await db
    .updateTable('watchRooms')
    .set({ ...playback, isPaused: toFlag(playback.isPaused) })
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', roomId)
    .execute()
}

export async function updateAllowsGuests(
  db: Database,
  { roomId, allowsGuests }: { roomId: number; allowsGuests: boolean },
): Promise<void> {
  await db
    .updateTable('watchRooms')
    .set({ allowsGuests: toFlag(allowsGuests) })
    .where('id', '=', roomId)
    .execute()
}

export async function updateRoomSeen(db: Database, roomId: number): Promise<void> {
  await db
    .updateTable('watchRooms')
    .set({ lastSeenAt: timeIn(0) })
    .where('id', '=', roomId)
    .execute()
}

export async function deleteRoom(db: Database, roomId: number): Promise<void> {
  await db.deleteFrom('watchRooms').where('id', '=', roomId).execute()
}

export async function deleteRoomsNotSeen(db: Database, ms: number): Promise<void> {
  await db.deleteFrom('watchRooms').where('lastSeenAt', '<', timeIn(-ms)).execute()
}

/** SQL: from the beginning of the first recording to the end of the last; null for other items. */
const secondsOfSquadView = sql<number | null>`(
  SELECT max("places"."offsetSeconds" + "recordings"."duration") - min("places"."offsetSeconds")
  FROM "squadViewVideos" AS "places"
  JOIN "videos" AS "recordings" ON "recordings"."id" = "places"."videoId"
  WHERE "places"."squadViewId" = "watchRoomItems"."squadViewId" AND "places"."state" = 'in'
)`

/** Returns the items in the order of the queue. */
export async function listItems(db: Database, roomId: number) {
  return db
    .selectFrom('watchRoomItems')
    .leftJoin('clips', 'clips.id', 'watchRoomItems.clipId')
    .innerJoin('videos', 'videos.id', 'watchRoomItems.videoId')
    .select(['watchRoomItems.id', 'watchRoomItems.videoId', 'watchRoomItems.clipId'])
    .select(['watchRoomItems.place', 'watchRoomItems.squadViewId'])
    .select(
      sql<number>`coalesce(
        ${secondsOfSquadView}, "clips"."endSeconds" - "clips"."startSeconds", "videos"."duration"
      )`.as('durationSeconds'),
    )
    .where('watchRoomItems.roomId', '=', roomId)
    .orderBy('watchRoomItems.place')
    .orderBy('watchRoomItems.id')
    .execute()
}

/** Returns nothing of a video that the viewer may not watch, not even its id. */
export async function listShownItems(
  db: Database,
  { roomId, viewer }: Asking & { roomId: number },
): Promise<RoomItem[]> {
  const items = await listItems(db, roomId)
  const videoIds = [...new Set(items.map(({ videoId }) => videoId))]
  const clipIds = items.flatMap(({ clipId }) => clipId ?? [])
  const videos = await selectVideos(db, { viewer })
    .where('videos.id', 'in', listOf(videoIds))
    .where(isVisibleVideo(viewer))
    .execute()
  const clips =
    clipIds.length === 0
      ? []
      : await selectClips(db, { viewer })
          .where('clips.id', 'in', listOf(clipIds))
          .where(isVisibleVideo(viewer))
          .execute()
  const videoOf = new Map(videos.map((row) => [row.id, toVideo(row, viewer)]))
  const clipOf = new Map(
    (await toClips(db, { rows: clips, viewer })).map((clip) => [clip.id, clip]),
  )
  const squadViews = await listSquadViews(db, { items, viewer })
  return items.map(({ id, videoId, clipId, squadViewId }) => {
    if (squadViewId !== null) {
      const squadView = squadViews.get(squadViewId) ?? null
      return { id, video: squadView?.recordings[0]?.video ?? null, clip: null, squadView }
    }
    const clip = (clipId !== null && clipOf.get(clipId)) || null
    // The maker of a clip may be banned, which hides the clip alone.
    const isShown = clipId === null || clip !== null
    return { id, video: (isShown && videoOf.get(videoId)) || null, clip, squadView: null }
  })
}

/** Those that the viewer may see. */
async function listSquadViews(
  db: Database,
  { items, viewer }: Asking & { items: readonly { squadViewId: number | null }[] },
): Promise<Map<number, SquadView>> {
  const views = new Map<number, SquadView>()
  for (const id of new Set(items.flatMap(({ squadViewId }) => squadViewId ?? []))) {
    const view = await findSquadView(db, { id, viewer })
    if (view) views.set(id, view)
  }
  return views
}

export async function insertItem(
  db: DatabaseTransaction,
  item: {
    roomId: number
    place: number
    videoId: number
    clipId: number | null
    squadViewId: number | null
    addedBy: number
  },
): Promise<number> {
  const { id } = await db
    .insertInto('watchRoomItems')
    .values(item)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @param ids of all items of a room, in their new order */
export async function updatePlaces(db: DatabaseTransaction, ids: readonly number[]): Promise<void> {
  for (const [place, id] of ids.entries()) {
    await db.updateTable('watchRoomItems').set({ place }).where('id', '=', id).execute()
  }
}

export async function deleteItem(
  db: Database,
  { roomId, itemId }: { roomId: number; itemId: number },
): Promise<void> {
  await db
    .deleteFrom('watchRoomItems')
    .where('roomId', '=', roomId)
    .where('id', '=', itemId)
    .execute()
}
