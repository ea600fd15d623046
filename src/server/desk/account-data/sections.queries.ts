/**
 * The sections of `account.json`: one for each table with rows of members. A test compares them with the schema: a
 * new table with a column for a member needs a section here, or a reason in `LEFT_OUT`.
 */
import { type RawBuilder, sql } from 'kysely'
import { listNotifications } from '#server/community/notification/notification-list.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { isVisibleVideo } from '#server/video/video/video.access.ts'

export type DataRow = Record<string, unknown>
/** @param person the member, without the rights of an admin, which concern the data of others */
type ReadRows = (db: Database, person: Viewer) => AsyncGenerator<DataRow[]>
export type DataSection = { name: string; tables: readonly string[]; read: ReadRows }

const PAGE_ROWS = 200

type Spec<Table extends keyof Schema> = {
  /** The column with the member's id. */
  owner: keyof Schema[Table] & string
  /** Columns that identify a row. */
  keys: readonly (keyof Schema[Table] & string)[]
  /** Columns that the archive contains. They must not be secrets or texts by others. */
  columns: readonly (keyof Schema[Table] & string)[]
}

function section<Table extends keyof Schema & string>(
  name: string,
  table: Table,
  { owner, keys, columns }: Spec<Table>,
): DataSection {
  return { name, tables: [table], read: readTable }

  async function* readTable(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
    const tuple = (parts: readonly RawBuilder<unknown>[]) => sql`(${sql.join(parts)})`
    const selected = [...new Set([...keys, ...columns])]
    for (let after: unknown[] | undefined; ; ) {
      const isAfter = after
        ? sql`AND ${tuple(keys.map((key) => sql.ref(key)))} > ${tuple(after.map((value) => sql`${value}`))}`
        : sql``
      const { rows } = await sql<DataRow>`
        SELECT ${sql.join(selected.map((column) => sql.ref(column)))} FROM ${sql.table(table)}
        WHERE ${sql.ref(owner)} = ${person.id} ${isAfter}
        ORDER BY ${sql.join(keys.map((key) => sql.ref(key)))} LIMIT ${PAGE_ROWS}`.execute(db)
      const last = rows.at(-1)
      if (!last) return
      after = keys.map((key) => last[key])
      const shown = rows.map((row) => pick(row, columns))
      yield await withNames(db, { rows: shown, person })
    }
  }
}

const pick = (row: DataRow, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, row[column]]))

/** Adds titles of videos that the person may see, and names of channels. */
async function withNames(
  db: Database,
  { rows, person }: { rows: DataRow[]; person: Viewer },
): Promise<DataRow[]> {
  const numbersOf = (column: string) => [
    ...new Set(rows.map((row) => row[column]).filter((value) => typeof value === 'number')),
  ]
  const videos = await listTitles(db, { ids: numbersOf('videoId'), person })
  const channels = await listNames(db, numbersOf('channelId'))
  return rows.map((row) => {
    const title = videos.get(row.videoId)
    const channel = channels.get(row.channelId)
    return {
      ...row,
      ...(title !== undefined && { videoTitle: title }),
      ...(channel !== undefined && { channel }),
    }
  })
}

async function listTitles(
  db: Database,
  { ids, person }: { ids: number[]; person: Viewer },
): Promise<Map<unknown, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('videos')
    .select(['videos.id', 'videos.title'])
    .where('videos.id', 'in', listOf(ids))
    .where(isVisibleVideo(person))
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

async function listNames(db: Database, ids: number[]): Promise<Map<unknown, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', listOf(ids))
    .where('bannedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}

const playlists = section('playlists', 'playlists', {
  owner: 'userId',
  keys: ['id'],
  columns: ['id', 'kind', 'title', 'description', 'visibility', 'createdAt', 'updatedAt'],
})

async function* readPlaylists(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  for await (const lists of playlists.read(db, person)) {
    for (const list of lists) {
      const items = await db
        .selectFrom('playlistItems')
        .select(['videoId', 'addedAt'])
        .where('playlistId', '=', Number(list.id))
        .orderBy('position')
        .execute()
      yield [{ ...list, items: await withNames(db, { rows: items, person }) }]
    }
  }
}

async function* readSessions(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .leftJoin('identityProviders', 'identityProviders.id', 'sessions.providerId')
    .select(['sessions.createdAt', 'expiresAt', 'lastUsedAt', 'method', 'address', 'userAgent'])
    .select('identityProviders.name as provider')
    .where('userId', '=', person.id)
    .orderBy('sessions.createdAt')
    .execute()
  yield rows.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt * 1000).toISOString() }))
}

async function* readIdentities(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const rows = await db
    .selectFrom('identities')
    .innerJoin('identityProviders', 'identityProviders.id', 'identities.providerId')
    .select(['identityProviders.name as provider', 'identityProviders.issuer', 'subject'])
    .select(['identities.name', 'avatar', 'grants', 'identities.createdAt', 'lastUsedAt'])
    .select('checkedAt')
    .where('userId', '=', person.id)
    .orderBy('identities.id')
    .execute()
  yield rows.map((row) => ({ ...row, grants: JSON.parse(row.grants) }))
}

async function* readMails(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['kind', 'data', 'createdAt', 'attempts', 'lastError'])
    .where('userId', '=', person.id)
    .orderBy('id')
    .execute()
  yield rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
}

async function* readSquads(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  yield await db
    .selectFrom('squadMembers')
    .innerJoin('squads', 'squads.id', 'squadMembers.squadId')
    .select(['squadId', 'squads.name', 'squads.tag', 'role', 'joinedAt', 'openedAt'])
    .where('userId', '=', person.id)
    .where('squads.deletedAt', 'is', null)
    .orderBy('squadId')
    .execute()
}

async function* readCuts(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  yield await db
    .selectFrom('cuts')
    .innerJoin('videos', 'videos.id', 'cuts.videoId')
    .select(['cuts.videoId', 'cuts.sourceVideoId', 'cuts.parts', 'cuts.createdAt'])
    .select('cuts.parkedAt')
    .where('videos.userId', '=', person.id)
    .orderBy('cuts.videoId')
    .execute()
}

async function* readMontages(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  yield await db
    .selectFrom('montages')
    .innerJoin('videos', 'videos.id', 'montages.videoId')
    .select(['montages.videoId', 'montages.transition', 'montages.titleCard'])
    .select('montages.createdAt')
    .where('videos.userId', '=', person.id)
    .orderBy('montages.videoId')
    .execute()
}

/** Reads notifications as the bell shows them, without those whose content is no longer visible. */
async function* readNotifications(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  for (let cursor: string | undefined; ; ) {
    const asked = { viewer: person, limit: PAGE_ROWS, ...(cursor && { cursor }) }
    const { items, nextCursor } = await listNotifications(db, asked)
    yield items.map(({ id, type, title, message, videoId, postId, squadId, read, createdAt }) => ({
      ...{ id, type, title, message, videoId, postId, squadId, read, createdAt },
    }))
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/** Entries per query. No index leads to the entries of a member; reading this many takes some milliseconds. */
const AUDIT_WINDOW = 10_000

const OWN_TARGETS = ['site', 'invite', 'backup']

/**
 * Leaves out the names of admins who acted on the person, and of others and their content on which the person acted
 * as an admin.
 */
async function* readAudit(db: Database, person: Viewer): AsyncGenerator<DataRow[]> {
  const { lastId } = await db
    .selectFrom('auditLog')
    .select((eb) => eb.fn.max('id').as('lastId'))
    .executeTakeFirstOrThrow()
  for (let afterId = 0; afterId < (lastId ?? 0); afterId += AUDIT_WINDOW) {
    const rows = await db
      .selectFrom('auditLog')
      .select(['id', 'createdAt', 'action', 'actorId', 'targetKind', 'targetId', 'targetName'])
      .select('reason')
      .where((eb) =>
        eb.or([
          eb('actorId', '=', person.id),
          eb.and([eb('targetKind', '=', 'member'), eb('targetId', '=', person.id)]),
        ]),
      )
      .where('id', '>', afterId)
      .where('id', '<=', afterId + AUDIT_WINDOW)
      .orderBy('id')
      .execute()
    yield rows.map(({ id: _, actorId, targetName, ...row }) => {
      const isAboutPerson = row.targetKind === 'member' && row.targetId === person.id
      const isNamed = isAboutPerson || OWN_TARGETS.includes(row.targetKind)
      const isOwnAct = actorId === person.id
      return { ...row, targetName: isNamed ? targetName : null, isOwnAct }
    })
  }
}

export const SECTIONS: readonly DataSection[] = [
  { name: 'sessions', tables: ['sessions'], read: readSessions },
  section('apiTokens', 'apiTokens', {
    owner: 'userId',
    keys: ['id'],
    columns: ['name', 'scope', 'createdAt', 'lastUsedAt', 'address', 'userAgent', 'expiresAt'],
  }),
  { name: 'linkedAccounts', tables: ['identities'], read: readIdentities },
  section('passkeys', 'passkeys', {
    owner: 'userId',
    keys: ['id'],
    columns: ['name', 'isBackedUp', 'createdAt', 'lastUsedAt'],
  }),
  section('authenticatorApp', 'timeCodes', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['createdAt'],
  }),
  section('recoveryCodes', 'recoveryCodes', {
    owner: 'userId',
    keys: ['codeHash'],
    columns: ['createdAt'],
  }),
  section('secondStepNotices', 'secondFactorNotices', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['requiredFrom'],
  }),
  section('passwordResets', 'passwordResets', {
    owner: 'userId',
    keys: ['tokenHash'],
    columns: ['createdAt', 'expiresAt', 'mailedTo'],
  }),
  section('emailVerifications', 'emailVerifications', {
    owner: 'userId',
    keys: ['tokenHash'],
    columns: ['address', 'expiresAt'],
  }),
  { name: 'unsentEmail', tables: ['mails'], read: readMails },
  section('emailSummary', 'digests', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['every', 'nextAt'],
  }),
  section('uploads', 'uploads', {
    owner: 'userId',
    keys: ['id'],
    columns: ['fileName', 'fileSize', 'state', 'title', 'videoId', 'createdAt'],
  }),
  section('moments', 'moments', {
    owner: 'userId',
    keys: ['id'],
    columns: ['videoId', 'source', 'atSeconds', 'title', 'createdAt'],
  }),
  { name: 'cuts', tables: ['cuts'], read: readCuts },
  { name: 'montages', tables: ['montages'], read: readMontages },
  { name: 'playlists', tables: ['playlists', 'playlistItems'], read: readPlaylists },
  section('comments', 'comments', {
    owner: 'userId',
    keys: ['id'],
    columns: [
      ...(['id', 'videoId', 'clipId', 'postId', 'parentId', 'content', 'createdAt'] as const),
      ...(['editedAt', 'likeCount', 'dislikeCount', 'withheld'] as const),
    ],
  }),
  section('posts', 'posts', {
    owner: 'channelId',
    keys: ['id'],
    columns: [
      ...(['id', 'content', 'videoId', 'clipId', 'squadId', 'likeCount', 'dislikeCount'] as const),
      ...(['createdAt', 'editedAt', 'withheld'] as const),
    ],
  }),
  section('likes', 'likes', {
    owner: 'userId',
    keys: ['id'],
    columns: ['videoId', 'clipId', 'commentId', 'postId', 'isLike', 'createdAt'],
  }),
  section('reactions', 'videoReactions', {
    owner: 'userId',
    keys: ['videoId', 'second', 'kind'],
    columns: ['videoId', 'second', 'kind'],
  }),
  section('subscriptions', 'subscriptions', {
    owner: 'subscriberId',
    keys: ['id'],
    columns: ['channelId', 'subscribedAt'],
  }),
  section('featuredChannels', 'featuredChannels', {
    owner: 'userId',
    keys: ['channelId'],
    columns: ['channelId', 'position'],
  }),
  { name: 'squads', tables: ['squadMembers'], read: readSquads },
  section('squadRequests', 'squadRequests', {
    owner: 'userId',
    keys: ['squadId'],
    columns: ['squadId', 'createdAt'],
  }),
  section('squadInvites', 'squadInvites', {
    owner: 'userId',
    keys: ['squadId'],
    columns: ['squadId', 'createdAt'],
  }),
  section('squadRemovals', 'squadRemovals', {
    owner: 'userId',
    keys: ['squadId'],
    columns: ['squadId', 'removedAt'],
  }),
  section('playedAlong', 'participants', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId', 'state'],
  }),
  section('sharedVideos', 'videoMembers', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId'],
  }),
  section('sharedPlaylists', 'playlistMembers', {
    owner: 'userId',
    keys: ['playlistId'],
    columns: ['playlistId'],
  }),
  section('shareLinks', 'shareLinks', {
    owner: 'createdBy',
    keys: ['id'],
    columns: [
      ...(['videoId', 'playlistId', 'note', 'expiresAt', 'maxViews', 'views'] as const),
      ...(['createdAt', 'lastUsedAt', 'revokedAt'] as const),
    ],
  }),
  section('history', 'history', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId', 'positionSeconds', 'watchedAt'],
  }),
  section('hiddenVideos', 'hiddenVideos', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId'],
  }),
  section('visits', 'visits', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['startedAt', 'seenAt', 'previousAt'],
  }),
  { name: 'notifications', tables: ['notifications'], read: readNotifications },
  section('mutedNotifications', 'mutedNotifications', {
    owner: 'userId',
    keys: ['kind'],
    columns: ['kind', 'mutes'],
  }),
  section('pushSubscriptions', 'pushSubscriptions', {
    owner: 'userId',
    keys: ['id'],
    columns: ['userAgent', 'createdAt', 'sentAt'],
  }),
  section('quietHours', 'quietHours', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['fromMinute', 'toMinute', 'timeZone'],
  }),
  section('reports', 'reports', {
    owner: 'reporterId',
    keys: ['id'],
    columns: [
      ...(['kind', 'videoId', 'commentId', 'channelId', 'postId', 'reason', 'state'] as const),
      ...(['createdAt', 'closedAt'] as const),
    ],
  }),
  section('invites', 'invites', {
    owner: 'createdBy',
    keys: ['id'],
    columns: ['note', 'usesMax', 'uses', 'expiresAt', 'createdAt', 'revokedAt'],
  }),
  { name: 'auditLog', tables: ['auditLog'], read: readAudit },
]

/** Tables with a column for a member that are not in the archive, with the reason. */
export const LEFT_OUT: Record<string, string> = {
  announcedActs: 'remembers that a like, subscription or video, which are there, was announced',
  dataExports: 'is the archive itself',
  jobs: 'is work on a video that is there',
  mediaFiles: 'lists the files of videos and clips, which are there',
  signInSteps: 'lasts ten minutes',
  workers: 'belongs to the site; the audit log has who added one',
}

export async function findProfile(db: Database, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'displayName', 'bio', 'isAdmin', 'createdAt'])
    .select(['subscriberCount', 'storageBytes', 'quotaBytes', 'avatarUrl', 'bannerUrl'])
    .select(['showEmail', 'showsPresence', 'historyPaused', 'defaultVisibility'])
    .select(['emailVerifiedAt', 'emailRefusedAt', 'passkeyAfterPassword', 'isTrustedUploader'])
    .where('id', '=', userId)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}
