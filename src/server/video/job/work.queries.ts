import type { Database } from '#server/platform/db/database.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'
import { shortSideOfVideo } from './job.queries.ts'

/** Oldest first; at most 100. */
export async function listActiveJobsOfUser(db: Database, userId: number) {
  return jobsOfUser(db, userId)
    .where('jobs.state', 'in', ['queued', 'running'])
    .where('videos.processingState', '!=', 'deleting')
    .orderBy('jobs.id')
    .limit(100)
    .execute()
}

/** Newest first; at most 50. */
export async function listFailedLaddersOfUser(db: Database, userId: number) {
  return jobsOfUser(db, userId)
    .where('jobs.state', '=', 'failed')
    .where('jobs.kind', '=', 'ladder')
    .where('videos.processingState', '=', 'ready')
    .orderBy('jobs.finishedAt', 'desc')
    .orderBy('jobs.id', 'desc')
    .limit(50)
    .execute()
}

function jobsOfUser(db: Database, userId: number) {
  return db
    .selectFrom('jobs')
    .innerJoin('videos', 'videos.id', 'jobs.videoId')
    .select(['jobs.id', 'jobs.videoId', 'kind', 'state', 'percent', 'step', 'speed'])
    .select(['secondsLeft', 'error', 'processingError'])
    .select(shortSideOfVideo().as('shortSide'))
    .select((eb) =>
      eb
        .ref('videos.processingState')
        .$castTo<Exclude<VideoRow['processingState'], 'deleting'>>()
        .as('processingState'),
    )
    .where('videos.userId', '=', userId)
}

/** Empty for a deleted video. */
export async function listVideoOwner(db: Database, videoId: number): Promise<number[]> {
  const rows = await db.selectFrom('videos').select('userId').where('id', '=', videoId).execute()
  return rows.map((row) => row.userId)
}

/** Those with unfinished jobs, and the owner of `videoId`. */
export async function listWorkOwners(db: Database, videoId?: number): Promise<number[]> {
  const rows = await db
    .selectFrom('videos')
    .select('userId')
    .distinct()
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          eb.selectFrom('jobs').select('jobs.videoId').where('state', 'in', ['queued', 'running']),
        ),
        ...(videoId === undefined ? [] : [eb('id', '=', videoId)]),
      ]),
    )
    .execute()
  return rows.map((row) => row.userId)
}
