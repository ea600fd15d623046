import type { Database } from '#server/platform/db/database.ts'

/** How many of the newest comments are read. */
const COMMENTS_MAX = 300
/** Titles of this many newest clips are not suggested again. */
const TAKEN_MAX = 100

/** Returns comments that may name a time, best liked first, without those of banned members. */
export async function listTimedTexts(db: Database, videoId: number): Promise<string[]> {
  const newest = db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.userId')
    .select(['comments.id', 'comments.content', 'comments.likeCount'])
    .where('comments.videoId', '=', videoId)
    .where('comments.clipId', 'is', null)
    .where('comments.parentId', 'is', null)
    .where('comments.withheld', 'is', null)
    .where('users.bannedAt', 'is', null)
    .orderBy('comments.createdAt', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(COMMENTS_MAX)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select(['content', 'likeCount', 'id'])
    .where('content', 'like', '%:%')
    .orderBy('likeCount', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ content }) => content)
}

export async function listMomentTitles(
  db: Database,
  input: { videoId: number; startSeconds: number; endSeconds: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('moments')
    .select('title')
    .where('videoId', '=', input.videoId)
    .where('atSeconds', '>=', input.startSeconds)
    .where('atSeconds', '<=', input.endSeconds)
    .where('title', 'is not', null)
    .orderBy('weight', 'desc')
    .orderBy('atSeconds')
    .limit(3)
    .execute()
  return rows.flatMap(({ title }) => title ?? [])
}

export async function listClipTitles(db: Database, videoId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('clips')
    .select('title')
    .where('videoId', '=', videoId)
    .orderBy('id', 'desc')
    .limit(TAKEN_MAX)
    .execute()
  return rows.map(({ title }) => title)
}

export async function listPlayerNames(db: Database, videoId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('participants')
    .innerJoin('users', 'users.id', 'participants.userId')
    .select('users.displayName')
    .where('participants.videoId', '=', videoId)
    .where('participants.state', '=', 'named')
    .where('users.bannedAt', 'is', null)
    .orderBy('users.username')
    .execute()
  return rows.map(({ displayName }) => displayName)
}
