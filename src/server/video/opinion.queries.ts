import { sql } from 'kysely'
import type { Rating } from '#shared/video.schemas.ts'
import type { Database } from '../db/database.ts'
import { listOf } from '../db/expressions.ts'

/** What a member thinks of some videos and their channels. */
export type Opinions = {
  ratings: Map<number, Rating>
  /** Channels they follow. */
  followed: Set<number>
  /** Videos they do not want to see. */
  hidden: Set<number>
}

type Row = { kind: 'rated' | 'follows' | 'hides'; id: number; isLike: 0 | 1 }

/** What a member thinks of so few videos that looking at each is quick. */
export async function listOpinions(
  db: Database,
  input: { userId: number; videoIds: number[]; channelIds: number[] },
): Promise<Opinions> {
  const { userId } = input
  const videos = listOf(input.videoIds)
  const channels = listOf(input.channelIds)
  const { rows } = await sql<Row>`
    SELECT 'rated' AS "kind", "videoId" AS "id", "isLike" FROM "likes"
    WHERE "userId" = ${userId} AND "videoId" IN ${videos}
    UNION ALL
    SELECT 'follows', "channelId", 0 FROM "subscriptions"
    WHERE "subscriberId" = ${userId} AND "channelId" IN ${channels}
    UNION ALL
    SELECT 'hides', "videoId", 0 FROM "hiddenVideos"
    WHERE "userId" = ${userId} AND "videoId" IN ${videos}`.execute(db)
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind)
  const rating = ({ isLike }: Row) => (isLike === 1 ? 'like' : 'dislike')
  return {
    ratings: new Map(of('rated').map((row) => [row.id, rating(row)])),
    followed: new Set(of('follows').map(({ id }) => id)),
    hidden: new Set(of('hides').map(({ id }) => id)),
  }
}
