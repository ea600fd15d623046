import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { decodeCursor, type Position, toPage } from '#server/platform/db/paging.ts'
import type { NotificationType } from '#server/platform/db/tables/community.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'
import type { Page, PageInput } from '#shared/field.schemas.ts'
import type { NotificationFilter } from '#shared/notification-kinds.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import { isVisibleComment, isVisiblePost } from '../writing/writing.access.ts'
import { isTakenBack } from './announcement.queries.ts'

/** The notification types of the spec that a filter selects, except in notifications of squads. */
const TYPES_OF: Partial<Record<NotificationFilter, readonly NotificationType[]>> = {
  comments: ['comment', 'comment_reply', 'video_comment'],
  likes: ['like'],
  subscriptions: ['subscription', 'new_subscriber'],
  videos: ['upload'],
}

/** A page has at most so many notifications of a group, enough for its names. */
const PER_GROUP = 5

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

/** @param input.isGrouped leaves out all but the latest notifications of each group */
export async function listNotifications(db: Database, input: Asked): Promise<Page<Notification>> {
  const { filter = 'all', limit } = input
  const after = input.cursor ? decodeCursor(input.cursor) : undefined
  const rows =
    filter === 'unread' ? await listUnread(db, input, after) : await listOfTypes(db, input, after)
  const groups = await countGroups(db, { rows, viewer: input.viewer })
  return toPage(rows, limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => toNotification(row, groups),
  })
}

type Asked = PageInput & { viewer: Viewer; filter?: NotificationFilter; isGrouped?: boolean }

function selectAsked(db: Database, { viewer, filter, isGrouped = false }: Asked) {
  const query = selectNotifications(db, viewer)
  if (!isGrouped) return query
  const isCounted = filter === 'unread' ? sql`AND "later"."read" = 0` : sql``
  return query.where(sql<SqlBool>`("notifications"."groupKey" IS NULL OR ${PER_GROUP} > (
    SELECT count(*) FROM (
      SELECT 1 FROM "notifications" AS "later"
      WHERE "later"."userId" = "notifications"."userId"
        AND "later"."groupKey" = "notifications"."groupKey"
        AND "later"."id" > "notifications"."id" ${isCounted}
      LIMIT ${PER_GROUP}
    ) AS "newer"
  ))`)
}

type Count = { size: number; unread: number; people: number }
type Counts = ReadonlyMap<string, Count>

/** Counts also what is no longer visible. */
async function countGroups(
  db: Database,
  { rows, viewer }: { rows: NotificationSelection[]; viewer: Viewer },
): Promise<Counts> {
  const keys = [...new Set(rows.flatMap(({ groupKey }) => groupKey ?? []))]
  if (keys.length === 0) return new Map()
  const counts = await db
    .selectFrom('notifications')
    .select(['groupKey', (eb) => eb.fn.countAll<number>().as('size')])
    .select([
      sql<number>`sum(1 - "read")`.as('unread'),
      // A row that counts several people names the last of them.
      sql<number>`count(DISTINCT coalesce("sourceUserId", -"id")) + sum("sourceCount" - 1)`.as(
        'people',
      ),
    ])
    .where('userId', '=', viewer.id)
    .where('groupKey', 'in', keys)
    .groupBy('groupKey')
    .execute()
  return new Map(
    counts.map(({ groupKey, ...count }) => [
      groupKey ?? '',
      { size: Number(count.size), unread: Number(count.unread), people: Number(count.people) },
    ]),
  )
}

/** Runs one query per type, because the index has the rows of each type in order. */
async function listOfTypes(db: Database, input: Asked, after: Position | undefined) {
  if (input.filter === 'squads') {
    const ofSquads = selectAsked(db, input).where('notifications.squadId', 'is not', null)
    return newestFirst(ofSquads, input, after).execute()
  }
  const types = TYPES_OF[input.filter ?? 'all']
  if (!types) return newestFirst(selectAsked(db, input), input, after).execute()
  const lists: NotificationSelection[][] = []
  for (const type of types) {
    const ofType = selectAsked(db, input)
      .where('notifications.type', '=', type)
      .where('notifications.squadId', 'is', null)
    lists.push(await newestFirst(ofType, input, after).execute())
  }
  return lists
    .flat()
    .sort((one, other) => compareText(other.createdAt, one.createdAt) || other.id - one.id)
    .slice(0, input.limit + 1)
}

/** Sorts by id, as the index of unread notifications does. */
function listUnread(db: Database, input: Asked, after: Position | undefined) {
  let query = selectAsked(db, input)
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
  return row && toNotification(row, await countGroups(db, { rows: [row], viewer: input.viewer }))
}

function toNotification(row: NotificationSelection, groups: Counts): Notification {
  const { displayName, avatarUrl, groupKey, groupText, ...fields } = row
  const { sourceUserId } = row
  const count = groups.get(groupKey ?? '')
  return {
    ...fields,
    group: groupKey && groupText && count ? { key: groupKey, text: groupText, ...count } : null,
    read: row.read === 1,
    sourceUser:
      sourceUserId !== null && displayName !== null
        ? { id: sourceUserId, displayName, avatarUrl }
        : null,
  }
}
