import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { BATCH_ROWS, inBatches } from '#server/platform/db/batches.ts'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import { decodeCursor, type Position, toPage } from '#server/platform/db/paging.ts'
import type { NotificationType } from '#server/platform/db/tables/community.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { NotificationFilter } from '#shared/notification-kinds.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import { isVisibleComment, isVisiblePost } from '../writing/writing.access.ts'
import { isTakenBack } from './announcement.queries.ts'

const LIKE_WINDOW_MS = 60 * 60 * 1000
/** How many notifications of a group are changed at a time, which takes some 3 ms. */
const GROUP_ROWS = 100

export type NewNotification = {
  userId: number
  type: NotificationType
  title: string
  message: string
  sourceUserId: number | null
  videoId?: number | null
  commentId?: number | null
  postId?: number | null
  squadId?: number | null
  groupKey?: string
  groupText?: string
}

/** The notification types of the spec that a filter selects. */
const TYPES_OF: Partial<Record<NotificationFilter, readonly NotificationType[]>> = {
  comments: ['comment', 'comment_reply', 'video_comment'],
  likes: ['like'],
  subscriptions: ['subscription', 'new_subscriber'],
  videos: ['upload'],
}

export async function insertNotifications(db: Database, rows: NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const createdAt = timestamp()
  await db
    .insertInto('notifications')
    .values(rows.map((row) => ({ ...row, createdAt })))
    .execute()
}

/** About the comment, or else the post itself. */
export async function listNotifiedOf(
  db: Database,
  input: { about: Pick<NewNotification, 'commentId' | 'postId'>; userIds: number[] },
): Promise<number[]> {
  const { commentId = null, postId = null } = input.about
  const notified = db
    .selectFrom('notifications')
    .select('userId')
    .where('userId', 'in', listOf(input.userIds))
  const rows = await (commentId === null
    ? notified.where('postId', '=', postId).where('commentId', 'is', null)
    : notified.where('commentId', '=', commentId)
  ).execute()
  return rows.map((row) => row.userId)
}

export async function deleteShareNotifications(
  db: DatabaseTransaction,
  { videoId, userIds }: { videoId: number; userIds: number[] },
): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('videoId', '=', videoId)
    .where('type', '=', 'upload')
    .where('userId', 'in', listOf(userIds))
    .execute()
}

/**
 * Deletes notifications about requests to a squad and its invitations, either those from a member
 * or those to a member.
 * @returns the members whose notifications were deleted
 */
export async function deleteSquadNotifications(
  db: DatabaseTransaction,
  { squadId, ...of }: { squadId: number } & ({ sourceUserId: number } | { userId: number }),
): Promise<number[]> {
  const [column, value] =
    'userId' in of ? (['userId', of.userId] as const) : (['sourceUserId', of.sourceUserId] as const)
  const rows = await db
    .deleteFrom('notifications')
    .where('squadId', '=', squadId)
    .where(column, '=', value)
    .returning('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Collects likes for an hour. */
export async function findOpenLikeNotification(
  db: Database,
  input: { userId: number; videoId: number },
) {
  return db
    .selectFrom('notifications')
    .select(['id', 'sourceCount'])
    .where('userId', '=', input.userId)
    .where('videoId', '=', input.videoId)
    .where('type', '=', 'like')
    .where('createdAt', '>', timestamp(new Date(Date.now() - LIKE_WINDOW_MS)))
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

export async function updateLikeNotification(
  db: Database,
  input: { id: number; sourceCount: number; sourceUserId: number; message: string },
) {
  const { id, ...change } = input
  await db
    .updateTable('notifications')
    .set({ ...change, read: 0 })
    .where('id', '=', id)
    .execute()
}

/** The video, post or comment, if any, exists for `viewer`. */
function isAboutVisible(viewer: Viewer): RawBuilder<SqlBool> {
  return sql`("notifications"."videoId" IS NULL OR EXISTS (
    SELECT 1 FROM "videos" WHERE "videos"."id" = "notifications"."videoId" AND ${isVisibleVideo(viewer)}
  )) AND ("notifications"."postId" IS NULL OR EXISTS (
    SELECT 1 FROM "posts" WHERE "posts"."id" = "notifications"."postId" AND ${isVisiblePost(viewer)}
  )) AND ("notifications"."commentId" IS NULL OR EXISTS (
    SELECT 1 FROM "comments" LEFT JOIN "comments" AS "tops" ON "tops"."id" = "comments"."parentId"
    WHERE "comments"."id" = "notifications"."commentId"
      AND ${isVisibleComment(viewer)} AND ${isVisibleComment(viewer, 'tops')}
  ))`
}

/**
 * Without those from banned members, about what is invisible, or taken back. One that counts several
 * people remains, without a name.
 */
function notificationsOf(db: Database, viewer: Viewer) {
  return db
    .selectFrom('notifications')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'notifications.sourceUserId').on('users.bannedAt', 'is', null),
    )
    .where('notifications.userId', '=', viewer.id)
    .where((eb) =>
      eb.or([
        eb('users.id', 'is not', null),
        eb('notifications.sourceUserId', 'is', null),
        eb('notifications.sourceCount', '>', 1),
      ]),
    )
    .where(isAboutVisible(viewer))
    .where((eb) => eb.not(isTakenBack))
}

function selectNotifications(db: Database, viewer: Viewer) {
  return notificationsOf(db, viewer)
    .select([
      'notifications.id',
      'notifications.userId',
      'notifications.type',
      'notifications.title',
      'notifications.message',
      'users.id as sourceUserId',
      'notifications.videoId',
      'notifications.commentId',
      'notifications.postId',
      'notifications.squadId',
      'notifications.read',
      'notifications.createdAt',
      'notifications.groupKey',
      'notifications.groupText',
      'notifications.sourceCount',
      'users.displayName',
      'users.avatarUrl',
    ])
    .select([
      sql<number | null>`(
      SELECT "posts"."channelId" FROM "posts" WHERE "posts"."id" = "notifications"."postId"
    )`.as('postChannelId'),
      sql<number | null>`(
      SELECT "comments"."clipId" FROM "comments" WHERE "comments"."id" = "notifications"."commentId"
    )`.as('clipId'),
      sql<string | null>`(
      SELECT "videos"."thumbnailUrl" FROM "videos" WHERE "videos"."id" = "notifications"."videoId"
    )`.as('videoThumbnailUrl'),
    ])
}

type NotificationSelection = Awaited<
  ReturnType<ReturnType<typeof selectNotifications>['execute']>
>[number]

export async function listNotifications(
  db: Database,
  input: PageInput & { viewer: Viewer; filter?: NotificationFilter },
) {
  const { filter = 'all', limit } = input
  const after = input.cursor ? decodeCursor(input.cursor) : undefined
  const rows =
    filter === 'unread' ? await listUnread(db, input, after) : await listOfTypes(db, input, after)
  return toPage(rows, limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: toNotification,
  })
}

type Asked = PageInput & { viewer: Viewer; filter?: NotificationFilter }

/** Runs one query per type, because the index has the rows of each type in order. */
async function listOfTypes(db: Database, input: Asked, after: Position | undefined) {
  const types = TYPES_OF[input.filter ?? 'all']
  if (!types) return newestFirst(selectNotifications(db, input.viewer), input, after).execute()
  const lists: NotificationSelection[][] = []
  for (const type of types) {
    const ofType = selectNotifications(db, input.viewer).where('notifications.type', '=', type)
    lists.push(await newestFirst(ofType, input, after).execute())
  }
  return lists
    .flat()
    .sort((one, other) => compareText(other.createdAt, one.createdAt) || other.id - one.id)
    .slice(0, input.limit + 1)
}

/** Sorts by id, as the index of unread notifications does. */
function listUnread(db: Database, input: Asked, after: Position | undefined) {
  let query = selectNotifications(db, input.viewer)
    .where(sql<SqlBool>`"notifications"."read" = 0`)
    .orderBy('notifications.id', 'desc')
    .limit(input.limit + 1)
  if (after) query = query.where('notifications.id', '<', after.id)
  return query.execute()
}

function newestFirst(
  query: ReturnType<typeof selectNotifications>,
  { limit }: Asked,
  after: Position | undefined,
) {
  const sorted = query
    .orderBy('notifications.createdAt', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit + 1)
  if (!after) return sorted
  return sorted.where((eb) =>
    eb(
      eb.refTuple('notifications.createdAt', 'notifications.id'),
      '<',
      eb.tuple(after.time, after.id),
    ),
  )
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

export async function findNotification(db: Database, input: { id: number; viewer: Viewer }) {
  const row = await selectNotifications(db, input.viewer)
    .where('notifications.id', '=', input.id)
    .executeTakeFirst()
  return row && toNotification(row)
}

/**
 * Keeps those that count others too. Limited per call.
 * @returns how many rows changed
 */
export async function deleteNameFromLikes(db: Database, userId: number): Promise<number> {
  const result = await sql`
    UPDATE "notifications" SET "sourceUserId" = NULL WHERE "id" IN (
      SELECT "id" FROM "notifications"
      WHERE "sourceUserId" = ${userId} AND "sourceCount" > 1 LIMIT ${BATCH_ROWS}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

export async function updateRead(
  db: Database,
  input: { userId: number; id: number },
): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read: 1 })
    .where('userId', '=', input.userId)
    .where('id', '=', input.id)
    .execute()
}

export async function updateAllRead(db: Database, userId: number): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT max("id") AS "id" FROM "notifications" WHERE "userId" = ${userId} AND "read" = 0`.execute(
    db,
  )
  // Later ones were not seen yet.
  const lastId = rows[0]?.id ?? 0
  return inBatches(async () => {
    const result = await sql`
      UPDATE "notifications" SET "read" = 1 WHERE "id" IN (
        SELECT "id" FROM "notifications"
        WHERE "userId" = ${userId} AND "read" = 0 AND "id" <= ${lastId} LIMIT ${BATCH_ROWS}
      )`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

export async function deleteNotification(db: Database, input: { id: number; userId: number }) {
  const result = await db
    .deleteFrom('notifications')
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Marks a group as read up to `lastId`, the newest one that the page showed. */
export async function updateGroupRead(db: Database, group: SeenGroup): Promise<number> {
  return inBatches(async () => {
    const result = await sql`
      UPDATE "notifications" SET "read" = 1
      WHERE "id" IN (${someOfGroup(group, sql`AND "read" = 0`)})`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

export async function deleteGroup(db: Database, group: SeenGroup): Promise<number> {
  return inBatches(async () => {
    const result = await sql`
      DELETE FROM "notifications" WHERE "id" IN (${someOfGroup(group, sql``)})`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  })
}

type SeenGroup = { userId: number; groupKey: string; lastId: number }

function someOfGroup({ userId, groupKey, lastId }: SeenGroup, more: RawBuilder<unknown>) {
  return sql`
    SELECT "id" FROM "notifications"
    WHERE "userId" = ${userId} AND "groupKey" = ${groupKey} AND "id" <= ${lastId} ${more}
    LIMIT ${GROUP_ROWS}`
}

/** Finds the member's own notification, even if its subject is no longer visible to them. */
export async function findGroupKey(db: Database, input: { id: number; userId: number }) {
  return db
    .selectFrom('notifications')
    .select('groupKey')
    .where('id', '=', input.id)
    .where('userId', '=', input.userId)
    .executeTakeFirst()
}

function toNotification(row: NotificationSelection): Notification {
  const { displayName, avatarUrl, groupKey, groupText, sourceCount, ...fields } = row
  const { sourceUserId } = row
  return {
    ...fields,
    group: groupKey && groupText ? { key: groupKey, text: groupText, people: sourceCount } : null,
    read: row.read === 1,
    sourceUser:
      sourceUserId !== null && displayName !== null
        ? { id: sourceUserId, displayName, avatarUrl }
        : null,
  }
}
