import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { AnnouncedActsTable, NotificationType } from '#server/platform/db/tables/community.ts'
import { isAnnouncedVideo, isVisibleVideo } from '#server/video/video/video.access.ts'
import type { NotificationKind } from '#shared/notification-kinds.ts'

/** Of `longWork`. */
export const TAKING_BACK = 'take-back-video'

/** @returns false for a repeated act */
export async function insertAnnouncedAct(db: Database, act: AnnouncedActsTable): Promise<boolean> {
  const result = await db
    .insertInto('announcedActs')
    .values(act)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteAnnouncedUpload(
  db: Database,
  video: { id: number; userId: number },
): Promise<void> {
  await db
    .deleteFrom('announcedActs')
    .where('kind', '=', 'upload')
    .where('actorId', '=', video.userId)
    .where('targetId', '=', video.id)
    .execute()
}

/** Later subscribers came after the act. */
export async function findLastSubscription(db: DatabaseTransaction): Promise<number> {
  const { id } = await db
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

export async function findLastNotification(db: DatabaseTransaction): Promise<number> {
  const { id } = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

/** What its followers are told; undefined once they are not to be. */
export async function findVideoToAnnounce(db: DatabaseTransaction, id: number) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.userId')
    .leftJoin('squads', 'squads.id', 'videos.squadId')
    .select(['videos.userId as channelId', 'videos.title', 'users.displayName'])
    .select(['videos.visibility', 'videos.squadId', 'squads.name as squadName'])
    .where('videos.id', '=', id)
    .where('videos.isAnonymous', '=', 0)
    .where(isAnnouncedVideo)
    .executeTakeFirst()
}

export async function findPostToAnnounce(db: DatabaseTransaction, id: number) {
  return db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.channelId')
    .leftJoin('squads', 'squads.id', 'posts.squadId')
    .leftJoin('clips', 'clips.id', 'posts.clipId')
    .select(['posts.channelId', 'posts.content', 'users.displayName', 'posts.squadId'])
    .select(['squads.name as squadName', 'posts.clipId'])
    .select((eb) => eb.fn.coalesce('clips.videoId', 'posts.videoId').as('shownVideoId'))
    .where('posts.id', '=', id)
    .where('posts.withheld', 'is', null)
    .executeTakeFirst()
}

export async function listSubscribersAfter(
  db: DatabaseTransaction,
  input: { channelId: number; reachedId: number; limit: number },
) {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'subscriberId'])
    .where('channelId', '=', input.channelId)
    .where('subscriberId', '>', input.reachedId)
    .orderBy('subscriberId')
    .limit(input.limit)
    .execute()
}

/** Which of these are subscribers. */
export async function listSubscribersOf(
  db: DatabaseTransaction,
  { channelId, userIds }: { channelId: number; userIds: number[] },
): Promise<number[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('subscriberId')
    .where('channelId', '=', channelId)
    .where('subscriberId', 'in', listOf(userIds))
    .execute()
  return rows.map((row) => row.subscriberId)
}

export type ToSubscribers = {
  channelId: number
  kind: NotificationKind
  type: NotificationType
  title: string
  message: string
  videoId?: number
  postId?: number
  /** If set, only members of this squad are notified. */
  squadId?: number | null
  groupKey?: string
  groupText?: string
}

/** @param input.afterId subscribers from there up to `upToId`, of subscriptions up to `lastId` */
export async function insertToSubscribers(
  db: DatabaseTransaction,
  input: ToSubscribers & { afterId: number; upToId: number; lastId: number },
): Promise<number[]> {
  const { channelId, kind, type, title, message } = input
  const { videoId = null, postId = null, squadId = null } = input
  const { groupKey = null, groupText = null } = input
  const rows = await db
    .insertInto('notifications')
    .columns([
      'userId',
      'type',
      'title',
      'message',
      'sourceUserId',
      'videoId',
      'postId',
      'groupKey',
      'groupText',
      'kind',
      'createdAt',
    ])
    .expression((eb) =>
      eb
        .selectFrom('subscriptions')
        .select((select) => [
          'subscriptions.subscriberId',
          select.val(type).as('type'),
          select.val(title).as('title'),
          select.val(message).as('message'),
          'subscriptions.channelId as sourceUserId',
          select.val(videoId).as('videoId'),
          select.val(postId).as('postId'),
          select.val(groupKey).as('groupKey'),
          select.val(groupText).as('groupText'),
          select.val(kind).as('kind'),
          select.val(timestamp()).as('createdAt'),
        ])
        .where('subscriptions.channelId', '=', channelId)
        .where('subscriptions.subscriberId', '>', input.afterId)
        .where('subscriptions.subscriberId', '<=', input.upToId)
        .where('subscriptions.id', '<=', input.lastId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('mutedNotifications')
                .select('kind')
                .whereRef('mutedNotifications.userId', '=', 'subscriptions.subscriberId')
                .where('mutedNotifications.kind', '=', kind)
                .where('mutedNotifications.mutes', '=', 'all'),
            ),
          ),
        )
        .$if(squadId !== null, (query) =>
          query.where('subscriptions.subscriberId', 'in', (members) =>
            members
              .selectFrom('squadMembers')
              .select('squadMembers.userId')
              .where('squadMembers.squadId', '=', squadId),
          ),
        ),
    )
    .returning('userId')
    .execute()
  return rows.map((row) => row.userId)
}

export async function listSquadMembersAfter(
  db: DatabaseTransaction,
  input: { squadId: number; reachedId: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('squadMembers')
    .select('userId')
    .where('squadId', '=', input.squadId)
    .where('userId', '>', input.reachedId)
    .orderBy('userId')
    .limit(input.limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

export type ToSquad = {
  squadId: number
  authorId: number
  type: NotificationType
  title: string
  message: string
  groupKey: string
  groupText: string
  videoId?: number
  postId?: number
  /** The post shows this video or a clip of it. */
  shownVideoId?: number | null
}

/**
 * Leaves out the author, members who turned off notifications of squads, and members who cannot watch the video.
 * Subscribers of the video's channel and members mentioned in the post are also left out, because they already have a
 * notification.
 * @param input.afterId excluded lower bound of the members' ids, up to `upToId`
 */
export async function insertToSquad(
  db: DatabaseTransaction,
  input: ToSquad & { afterId: number; upToId: number },
): Promise<void> {
  const { squadId, authorId, type, title, message, groupKey, groupText } = input
  const { videoId = null, postId = null } = input
  const member = sql<number>`"squadMembers"."userId"`
  const hasMuted = (kind: NotificationKind) => sql<SqlBool>`EXISTS (
    SELECT 1 FROM "mutedNotifications"
    WHERE "mutedNotifications"."userId" = ${member} AND "mutedNotifications"."kind" = ${kind}
      AND "mutedNotifications"."mutes" = 'all'
  )`
  const shown = videoId ?? input.shownVideoId ?? null
  const canWatch =
    shown === null
      ? sql``
      : sql`AND EXISTS (
        SELECT 1 FROM "videos" WHERE "videos"."id" = ${shown}
          AND ${isVisibleVideo({ id: member, isAdmin: false })}
      )`
  const isTold =
    videoId === null
      ? sql`EXISTS (
        SELECT 1 FROM "notifications" AS "told"
        WHERE "told"."postId" = ${postId} AND "told"."userId" = ${member} AND "told"."commentId" IS NULL
      )`
      : sql`(NOT ${hasMuted('videos')} AND EXISTS (
        SELECT 1 FROM "subscriptions" WHERE "subscriptions"."channelId" = ${authorId}
          AND "subscriptions"."subscriberId" = ${member}
      ))`
  await sql`
    INSERT INTO "notifications" ("userId", "type", "title", "message", "sourceUserId", "videoId",
      "postId", "squadId", "groupKey", "groupText", "kind", "createdAt")
    SELECT "squadMembers"."userId", ${type}, ${title}, ${message}, ${authorId}, ${videoId},
      ${postId}, ${squadId}, ${groupKey}, ${groupText}, 'squads', ${timestamp()}
    FROM "squadMembers"
    WHERE "squadMembers"."squadId" = ${squadId} AND ${member} <> ${authorId}
      AND ${member} > ${input.afterId} AND ${member} <= ${input.upToId}
      AND NOT ${hasMuted('squads')} AND NOT ${isTold} ${canWatch}`.execute(db)
}

/** Some of those to followers. */
export async function deleteUploadNotifications(
  db: DatabaseTransaction,
  input: { videoId: number; lastId: number; limit: number },
): Promise<number[]> {
  const { videoId, lastId, limit } = input
  const rows = await db
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notifications')
        .select('id')
        .where('videoId', '=', videoId)
        .where('type', '=', 'upload')
        .where('id', '<=', lastId)
        .where('sourceUserId', '=', (owner) =>
          owner.selectFrom('videos').select('userId').where('videos.id', '=', videoId),
        )
        .orderBy('id')
        .limit(limit),
    )
    .returning('userId')
    .execute()
  return rows.map((row) => row.userId)
}

/** SQL: taken back, though the row may still be there. */
export const isTakenBack: RawBuilder<SqlBool> = sql`(
  "notifications"."type" = 'upload' AND EXISTS (
    SELECT 1 FROM "longWork" JOIN "videos" AS "takenBack" ON "takenBack"."id" = "longWork"."targetId"
    WHERE "longWork"."kind" = ${sql.lit(TAKING_BACK)} AND "longWork"."targetId" = "notifications"."videoId"
      AND "notifications"."id" <= "longWork"."lastId"
      AND "takenBack"."userId" = "notifications"."sourceUserId"
  )
)`
