import { type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { CreateReport, Report, ReportState } from '#shared/schemas/desk/moderation.schemas.ts'

/**
 * With the text, which may be deleted before the review. An open report of the same person and
 * target stays.
 * @returns the id of a new report
 */
export async function insertReport(
  db: Database,
  input: CreateReport & { reporterId: number },
): Promise<number | undefined> {
  const about = await findSubject(db, input)
  if (!about) return undefined
  const row = await db
    .insertInto('reports')
    .values({ ...input, ...about, state: 'open', createdAt: timestamp() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

async function findSubject(db: Database, input: CreateReport) {
  const { videoId, commentId, channelId, postId } = input
  if (videoId) {
    const video = await db
      .selectFrom('videos')
      .select(['title as subject', 'userId as accusedId'])
      .where('id', '=', videoId)
      .executeTakeFirst()
    return video && { kind: 'video' as const, ...video }
  }
  if (commentId) {
    const comment = await db
      .selectFrom('comments')
      .select(['content as subject', 'userId as accusedId'])
      .where('id', '=', commentId)
      .executeTakeFirst()
    return comment && { kind: 'comment' as const, ...comment }
  }
  if (postId) {
    const post = await db
      .selectFrom('posts')
      .select(['content as subject', 'channelId as accusedId'])
      .where('id', '=', postId)
      .executeTakeFirst()
    return post && { kind: 'post' as const, ...post }
  }
  const channel = await db
    .selectFrom('users')
    .select(['displayName as subject', 'id as accusedId'])
    .where('id', '=', channelId ?? 0)
    .executeTakeFirst()
  return channel && { kind: 'channel' as const, ...channel }
}

const SEARCHED = [
  'reports.reason',
  'reports.subject',
  'reporter.displayName',
  'accused.username',
  'videos.title',
]

function selectReports(db: Database) {
  return db
    .selectFrom('reports')
    .leftJoin('users as reporter', 'reporter.id', 'reports.reporterId')
    .leftJoin('users as closer', 'closer.id', 'reports.closedBy')
    .leftJoin('comments', 'comments.id', 'reports.commentId')
    .leftJoin('clips', 'clips.id', 'comments.clipId')
    .leftJoin('posts as answered', 'answered.id', 'comments.postId')
    .leftJoin('users as channel', 'channel.id', 'answered.channelId')
    .leftJoin('posts', 'posts.id', 'reports.postId')
    .leftJoin('videos', (join) =>
      join.on(sql<SqlBool>`"videos"."id" = coalesce("reports"."videoId", "comments"."videoId")`),
    )
    .leftJoin('users as accused', 'accused.id', 'reports.accusedId')
    .select([
      'reports.id',
      'reports.kind',
      'reports.subject',
      'reporter.displayName as reporterName',
      'reports.videoId',
      'reports.commentId',
      'reports.channelId',
      'reports.postId',
      'reports.reason',
      'reports.state',
      'reports.createdAt',
      'reports.closedAt',
      'closer.username as closedByName',
    ])
    .select([
      'videos.id as contextVideoId',
      'videos.title',
      'videos.thumbnailUrl',
      'videos.contentApproved',
      'comments.content',
      'comments.withheld',
      'posts.content as postContent',
      'posts.withheld as postWithheld',
    ])
    .select([
      'clips.id as clipId',
      'clips.title as clipTitle',
      'channel.id as postChannelId',
      'channel.displayName as postChannelName',
    ])
    .select([
      'accused.id as accusedId',
      'accused.username',
      'accused.displayName',
      'accused.avatarUrl',
      'accused.isAdmin',
      'accused.bannedAt',
    ])
    .select(
      sql<number>`(
      SELECT count(*) FROM "auditLog" WHERE "auditLog"."targetKind" = 'member'
        AND "auditLog"."targetId" = "accused"."id" AND "auditLog"."action" = 'member.warn'
    )`.as('warnings'),
    )
    .select(
      sql<number>`(
      SELECT count(*) FROM "reports" AS "other" WHERE "other"."state" = 'open' AND (
        "other"."id" = "reports"."id" OR "other"."videoId" = "reports"."videoId"
        OR "other"."commentId" = "reports"."commentId" OR "other"."channelId" = "reports"."channelId"
        OR "other"."postId" = "reports"."postId")
    )`.as('openCount'),
    )
}

type Selection = Awaited<ReturnType<ReturnType<typeof selectReports>['execute']>>[number]

/**
 * Newest first.
 * @param input.q part of a reason, name or title
 */
export async function listReports(
  db: Database,
  input: PageInput & { state: ReportState; q?: string | undefined },
) {
  let query = selectReports(db)
    .where('reports.state', '=', input.state)
    .orderBy('reports.createdAt', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(input.limit + 1)
  if (input.q) query = query.where(containsText(SEARCHED, input.q))
  if (input.cursor) {
    const { time, id } = decodeCursor(input.cursor)
    query = query.where((eb) =>
      eb(eb.refTuple('reports.createdAt', 'reports.id'), '<', eb.tuple(time, id)),
    )
  }
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: toReport,
  })
}

function toReport(row: Selection): Report {
  const { id, reporterName, kind, subject, reason, state } = row
  const { videoId, commentId, channelId, postId } = row
  const { createdAt, closedAt, closedByName, openCount } = row
  return {
    ...{ id, reporterName, kind, subject, reason, state },
    ...{ videoId, commentId, channelId, postId },
    isGone: videoId === null && commentId === null && channelId === null && postId === null,
    createdAt,
    closedAt,
    closedByName,
    openCount,
    video:
      row.contextVideoId === null || row.title === null
        ? null
        : {
            id: row.contextVideoId,
            title: row.title,
            thumbnailUrl: row.thumbnailUrl,
            isHidden: row.contentApproved === 0,
          },
    comment:
      commentId === null || row.content === null
        ? null
        : {
            id: commentId,
            content: row.content,
            isHidden: row.withheld !== null,
          },
    clip:
      row.clipId === null || row.clipTitle === null
        ? null
        : { id: row.clipId, title: row.clipTitle },
    postChannel:
      row.postChannelId === null || row.postChannelName === null
        ? null
        : { id: row.postChannelId, displayName: row.postChannelName },
    post:
      postId === null || row.postContent === null
        ? null
        : { id: postId, content: row.postContent, isHidden: row.postWithheld !== null },
    accused: toAccused(row),
  }
}

function toAccused(row: Selection): Report['accused'] {
  const { accusedId, username, displayName, avatarUrl, isAdmin, bannedAt, warnings } = row
  if (accusedId === null || username === null || displayName === null) return null
  return {
    id: accusedId,
    username,
    displayName,
    avatarUrl,
    isAdmin: isAdmin === 1,
    isBanned: bannedAt !== null,
    warnings,
  }
}

/** @returns its reason; undefined unless open */
export async function closeReport(
  db: Database,
  input: { id: number; state: 'resolved' | 'dismissed'; closedBy: number },
): Promise<string | undefined> {
  const row = await db
    .updateTable('reports')
    .set({ state: input.state, closedAt: timestamp(), closedBy: input.closedBy })
    .where('id', '=', input.id)
    .where('state', '=', 'open')
    .returning('reason')
    .executeTakeFirst()
  return row?.reason
}
