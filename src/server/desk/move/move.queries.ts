import type { Database } from '#server/platform/db/database.ts'

export async function isBeingPrepared(db: Database, mediaKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .select('jobs.id')
    .where('videos.mediaKey', '=', mediaKey)
    .where('jobs.state', '=', 'running')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
