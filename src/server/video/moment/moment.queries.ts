import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { MomentsTable } from '#server/platform/db/tables/moment.ts'
import type { FoundMoment } from '../processing/tasks/media-task.ts'

const commentsMax = 300

export async function replaceFoundMoments(
  db: DatabaseTransaction,
  { videoId, moments }: { videoId: number; moments: FoundMoment[] },
): Promise<void> {
  await db
    .deleteFrom('moments')
    .where('videoId', '=', videoId)
    .where('userId', 'is', null)
    .execute()
  const createdAt = timestamp()
  for (const moment of moments) {
    await db
      .insertInto('moments')
      .values({ videoId, userId: null, createdAt, ...moment })
      .execute()
  }
}

export type TimelineMarker = Pick<MomentsTable, 'atSeconds' | 'weight' | 'title'>

export async function replaceTimelineMarkers(
  db: DatabaseTransaction,
  { videoId, userId, markers }: { videoId: number; userId: number; markers: TimelineMarker[] },
): Promise<void> {
  await deleteTimelineMarkers(db, videoId)
  const createdAt = timestamp()
  for (const marker of markers) {
    await db
      .insertInto('moments')
      .values({ ...marker, videoId, userId, source: 'chapter', createdAt })
      .execute()
  }
}

/** @returns false when there were none */
export async function deleteTimelineMarkers(
  db: DatabaseTransaction,
  videoId: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('moments')
    .where('videoId', '=', videoId)
    .where('source', '=', 'chapter')
    .where('userId', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listMomentRows(db: Database, videoId: number) {
  return db
    .selectFrom('moments')
    .select(['source', 'atSeconds', 'weight', 'title'])
    .where('videoId', '=', videoId)
    .orderBy('atSeconds')
    .execute()
}

export async function listTimedComments(db: Database, videoId: number): Promise<string[]> {
  const newest = db
    .selectFrom('comments')
    .select('content')
    .where('videoId', '=', videoId)
    .where('clipId', 'is', null)
    .where('parentId', 'is', null)
    .where('withheld', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(commentsMax)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select('content')
    .where('content', 'like', '%:%')
    .execute()
  return rows.map(({ content }) => content)
}

type Own = Pick<MomentsTable, 'videoId' | 'source'> & { userId: number }

export async function findOwnMoment(
  db: Database,
  { videoId, source, userId, atSeconds, within }: Own & { atSeconds: number; within: number },
) {
  const rows = await db
    .selectFrom('moments')
    .select(['id', 'atSeconds'])
    .where('userId', '=', userId)
    .where('videoId', '=', videoId)
    .where('source', '=', source)
    .where('atSeconds', '>', atSeconds - within)
    .where('atSeconds', '<', atSeconds + within)
    .execute()
  const distance = (row: { atSeconds: number }) => Math.abs(row.atSeconds - atSeconds)
  return rows.sort((a, b) => distance(a) - distance(b))[0]
}

export async function countOwnMoments(db: Database, { videoId, source, userId }: Own) {
  const { count } = await db
    .selectFrom('moments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('videoId', '=', videoId)
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertOwnMoment(
  db: Database,
  moment: Own & { atSeconds: number },
): Promise<number> {
  const { id } = await db
    .insertInto('moments')
    .values({ ...moment, weight: 1, title: null, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteOwnMoment(
  db: Database,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('moments')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
