import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { isListedVideo } from '../video/video.access.ts'
import { isNotHidden } from '../video/video.queries.ts'
import { selectClips, toClips } from './clip.queries.ts'

const EVENING_MS = 8 * 60 * 60 * 1000
/** How many of the newest videos of the evening or the game are searched. */
const VIDEOS_MAX = 60
const CLIPS_MAX = 12

type Around = {
  video: { id: number; publishedAt: string; category: string }
  viewer: Viewer | undefined
}

/** Returns clips of other videos that were published within eight hours, best liked first. */
export function listClipsOfEvening(db: Database, { video, viewer }: Around): Promise<Clip[]> {
  const at = Date.parse(video.publishedAt)
  const [from, until] = [timestamp(new Date(at - EVENING_MS)), timestamp(new Date(at + EVENING_MS))]
  const isThen = sql<SqlBool>`"videos"."publishedAt" > ${from} AND "videos"."publishedAt" < ${until}`
  return listOfSome(db, { video, viewer, where: isThen })
}

/** Returns clips of other videos of the game, best liked first. */
export function listClipsOfGame(db: Database, { video, viewer }: Around): Promise<Clip[]> {
  const isOfGame = sql<SqlBool>`"videos"."category" = ${video.category}`
  return listOfSome(db, { video, viewer, where: isOfGame })
}

async function listOfSome(
  db: Database,
  { video, viewer, where }: Around & { where: RawBuilder<SqlBool> },
): Promise<Clip[]> {
  const near = await db
    .selectFrom('videos')
    .select('videos.id')
    .where(where)
    .where('videos.id', '<>', video.id)
    .where(isListedVideo(viewer))
    .where(isNotHidden(viewer))
    .orderBy('videos.publishedAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(VIDEOS_MAX)
    .execute()
  if (near.length === 0) return []
  // The ids are selected first, because reading all columns of each clip costs more than sorting.
  const best = await db
    .selectFrom('clips')
    .select('id')
    .where('videoId', 'in', listOf(near.map(({ id }) => id)))
    .orderBy('likeCount', 'desc')
    .orderBy('id', 'desc')
    .limit(CLIPS_MAX)
    .execute()
  const rows = await selectClips(db, { viewer })
    .where('clips.id', 'in', listOf(best.map(({ id }) => id)))
    .orderBy('clips.likeCount', 'desc')
    .orderBy('clips.id', 'desc')
    .execute()
  return toClips(db, { rows, viewer })
}
