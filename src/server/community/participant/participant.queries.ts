import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { ParticipantsTable } from '#server/platform/db/tables/channel.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedOrOwnVideo } from '#server/video/video/video.access.ts'
import { listVideosById } from '#server/video/video/video.queries.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { Participant } from '#shared/schemas/community.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

/** By name, without banned members. */
export async function listParticipants(db: Database, videoId: number): Promise<Participant[]> {
  return db
    .selectFrom('participants')
    .innerJoin('users', 'users.id', 'participants.userId')
    .select(['users.id', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .where('participants.videoId', '=', videoId)
    .where('participants.state', '=', 'named')
    .where('users.bannedAt', 'is', null)
    .orderBy('users.username')
    .execute()
}

/** Newest first. */
export async function listAppearances(
  db: Database,
  input: PageInput & { id: number; viewer: Viewer | undefined },
): Promise<Page<Video>> {
  const { id, viewer, limit, cursor } = input
  let query = db
    .selectFrom('participants')
    .innerJoin('videos', 'videos.id', 'participants.videoId')
    .select(['videos.id', 'videos.publishedAt'])
    .where('participants.userId', '=', id)
    .where('participants.state', '=', 'named')
    .where(isListedOrOwnVideo(viewer))
    .orderBy('videos.publishedAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(limit + 1)
  if (cursor) {
    const position = decodeCursor(cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('videos.publishedAt', 'videos.id'), '<', eb.tuple(position.time, position.id)),
    )
  }
  const page = toPage(await query.execute(), limit, {
    position: (row) => ({ time: row.publishedAt, id: row.id }),
    item: (row) => row.id,
  })
  return { ...page, items: await listVideosById(db, { ids: page.items, viewer }) }
}

/** With removed names. */
export async function listParticipantStates(db: DatabaseTransaction, videoId: number) {
  return db
    .selectFrom('participants')
    .select(['userId', 'state'])
    .where('videoId', '=', videoId)
    .execute()
}

export async function saveParticipant(
  db: DatabaseTransaction,
  participant: ParticipantsTable,
): Promise<void> {
  await db
    .insertInto('participants')
    .values(participant)
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'userId']).doUpdateSet({ state: participant.state }),
    )
    .execute()
}
