import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isListedVideo } from '#server/video/video/video.access.ts'

const REACH_MS = 14 * 24 * 60 * 60 * 1000
const CANDIDATES_MAX = 200

function selectFacts(db: Database) {
  return db
    .selectFrom('videos')
    .leftJoin('uploads', 'uploads.id', 'videos.uploadId')
    .select(['videos.id', 'videos.userId', 'videos.title', 'videos.duration'])
    .select(['videos.publishedAt', 'videos.category', 'uploads.fileName'])
}

export type Candidate = NonNullable<Awaited<ReturnType<typeof findCandidateFacts>>>

export async function findCandidateFacts(db: Database, id: number) {
  return selectFacts(db).where('videos.id', '=', id).executeTakeFirst()
}

/** Lists recordings of the same game from about the same time. Anonymous ones are left out, because a viewer could guess their owner. */
export async function listCandidates(
  db: Database,
  { own, viewer }: { own: Candidate; viewer: Viewer },
): Promise<Candidate[]> {
  const time = Date.parse(own.publishedAt)
  return selectFacts(db)
    .where(isListedVideo(viewer))
    .where('videos.userId', '<>', own.userId)
    .where('videos.isAnonymous', '=', 0)
    .where('videos.category', '=', own.category)
    .where('videos.publishedAt', '>', timestamp(new Date(time - REACH_MS)))
    .where('videos.publishedAt', '<', timestamp(new Date(time + REACH_MS)))
    .orderBy('videos.publishedAt', 'desc')
    .limit(CANDIDATES_MAX)
    .execute()
}

/** @returns the videos in which the owner of `own` or one of its members played along, or the reverse */
export async function listCompany(
  db: Database,
  { own, others }: { own: Candidate; others: readonly Candidate[] },
): Promise<Set<number>> {
  if (others.length === 0) return new Set()
  const ids = listOf([own.id, ...others.map(({ id }) => id)])
  const named = await db
    .selectFrom('participants')
    .select(['videoId', 'userId'])
    .where('videoId', 'in', ids)
    .where('state', '=', sql.lit('named'))
    .execute()
  const playersOf = Map.groupBy(named, ({ videoId }) => videoId)
  const team = new Set([own.userId, ...(playersOf.get(own.id) ?? []).map(({ userId }) => userId)])
  const company = others.filter(({ id, userId }) => {
    const players = playersOf.get(id) ?? []
    return team.has(userId) || players.some((player) => team.has(player.userId))
  })
  return new Set(company.map(({ id }) => id))
}
