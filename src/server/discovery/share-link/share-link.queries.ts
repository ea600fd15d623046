import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type Database,
  type DatabaseTransaction,
  timestamp,
  writeQuietly,
} from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { ShareLinksTable } from '#server/platform/db/tables/video.ts'
import { selectVideos, toVideo } from '#server/video/video/video.queries.ts'
import type { ShareLink } from '#shared/schemas/share-link.schemas.ts'
import { isOpenedByLink, type LinkTarget } from './share-link.access.ts'

/** Exactly one is set. */
export type Target = { videoId: number | null; playlistId: number | null }

const DEAD_LINKS_KEPT = 100

const COLUMNS = [
  'shareLinks.id',
  'shareLinks.videoId',
  'shareLinks.playlistId',
  'shareLinks.note',
  'shareLinks.passwordHash',
  'shareLinks.expiresAt',
  'shareLinks.maxViews',
  'shareLinks.views',
  'shareLinks.createdAt',
  'shareLinks.lastUsedAt',
  'shareLinks.revokedAt',
] as const

const isUnended = (): RawBuilder<SqlBool> => sql`(
  "shareLinks"."revokedAt" IS NULL
  AND ("shareLinks"."expiresAt" IS NULL OR "shareLinks"."expiresAt" > ${timestamp()})
)`

const hasViewsLeft: RawBuilder<SqlBool> = sql`(
  "shareLinks"."maxViews" IS NULL OR "shareLinks"."views" < "shareLinks"."maxViews"
)`

const isTo = ({ videoId, playlistId }: Target): RawBuilder<SqlBool> =>
  videoId === null
    ? sql`"shareLinks"."playlistId" = ${playlistId}`
    : sql`"shareLinks"."videoId" = ${videoId}`

/** Working ones first, then newest. */
export async function listShareLinks(db: Database, target: Target): Promise<ShareLink[]> {
  const rows = await db
    .selectFrom('shareLinks')
    .select(COLUMNS)
    .where(isTo(target))
    .orderBy(sql`(${isUnended()} AND ${hasViewsLeft})`, 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toShareLink)
}

export async function countLiveLinks(db: Database, target: Target): Promise<number> {
  const { count } = await db
    .selectFrom('shareLinks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isTo(target))
    .where(isUnended())
    .where(hasViewsLeft)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertShareLink(
  db: DatabaseTransaction,
  link: Omit<Insertable<ShareLinksTable>, 'createdAt'>,
): Promise<ShareLink> {
  const row = await db
    .insertInto('shareLinks')
    .values({ ...link, createdAt: timestamp() })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return toShareLink(row)
}

export async function deleteOldDeadLinks(db: DatabaseTransaction, target: Target): Promise<void> {
  const dead = db
    .selectFrom('shareLinks')
    .select('id')
    .where(isTo(target))
    .where(sql<SqlBool>`NOT (${isUnended()} AND ${hasViewsLeft})`)
    .orderBy('id', 'desc')
    // SQLite requires LIMIT with OFFSET.
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(DEAD_LINKS_KEPT)
  await db.deleteFrom('shareLinks').where('id', 'in', dead).execute()
}

export async function findShareLink(db: Database, id: number) {
  return db
    .selectFrom('shareLinks')
    .select(['id', 'createdBy'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function revokeShareLink(db: Database, id: number): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('shareLinks')
      .set({ revokedAt: timestamp() })
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .execute(),
  )
}

export async function revokeLinksTo(db: Database, target: Target): Promise<void> {
  await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('shareLinks')
      .set({ revokedAt: timestamp() })
      .where(isTo(target))
      .where('revokedAt', 'is', null)
      .execute(),
  )
}

export type UnendedLink = LinkTarget & {
  id: number
  passwordHash: string | null
  expiresAt: string | null
  maxViews: number | null
  hasViewsLeft: Flag
}

/** Not if revoked, expired or of a banned owner. */
export async function findUnendedLink(
  db: Database,
  tokenHash: string,
): Promise<UnendedLink | undefined> {
  return db
    .selectFrom('shareLinks')
    .innerJoin('users', 'users.id', 'shareLinks.createdBy')
    .select(['shareLinks.id', 'shareLinks.videoId', 'shareLinks.playlistId'])
    .select(['shareLinks.createdBy as ownerId', 'shareLinks.passwordHash', 'shareLinks.expiresAt'])
    .select(['shareLinks.maxViews', sql<Flag>`${hasViewsLeft}`.as('hasViewsLeft')])
    .where('shareLinks.tokenHash', '=', tokenHash)
    .where(isUnended())
    .where('users.bannedAt', 'is', null)
    .executeTakeFirst()
}

/** @returns false when the link ended meanwhile or its limit is reached */
export async function countOpening(db: Database, id: number): Promise<boolean> {
  const opened = await writeQuietly(db, (transaction) =>
    transaction
      .updateTable('shareLinks')
      .set((eb) => ({ views: eb('views', '+', 1), lastUsedAt: timestamp() }))
      .where('id', '=', id)
      .where(isUnended())
      .where(hasViewsLeft)
      .returning('id')
      .executeTakeFirst(),
  )
  return opened !== undefined
}

export async function findLinkedVideo(db: Database, link: LinkTarget, videoId: number) {
  const row = await selectVideos(db, { viewer: undefined })
    .where('videos.id', '=', videoId)
    .where(isOpenedByLink(link))
    .executeTakeFirst()
  return row && toVideo(row, undefined)
}

export async function listLinkedVideos(db: Database, link: LinkTarget) {
  const rows = await selectVideos(db, { viewer: undefined })
    .innerJoin('playlistItems', 'playlistItems.videoId', 'videos.id')
    .where('playlistItems.playlistId', '=', link.playlistId)
    .where(isOpenedByLink(link))
    .orderBy('playlistItems.position')
    .execute()
  return rows.map((row) => toVideo(row, undefined))
}

export async function findLinkedPlaylist(db: Database, id: number) {
  return db
    .selectFrom('playlists')
    .innerJoin('users', 'users.id', 'playlists.userId')
    .select(['playlists.title', 'playlists.description', 'users.displayName as ownerName'])
    .where('playlists.id', '=', id)
    .executeTakeFirst()
}

export async function findLinkedFile(
  db: Database,
  link: LinkTarget,
  file: { videoId: number; name: string },
) {
  const { videoId, name } = file
  return db
    .selectFrom('videos')
    .select(['videos.id', 'videos.mediaKey'])
    .where('videos.id', '=', videoId)
    .where(isOpenedByLink(link))
    .where(
      sql<SqlBool>`(
        '/media/' || coalesce("videos"."addressKey", "videos"."mediaKey") || '/' || ${name}
          IN ("videos"."videoUrl", "videos"."thumbnailUrl")
        OR EXISTS (
          SELECT 1 FROM "mediaFiles"
          WHERE "mediaFiles"."videoId" = "videos"."id" AND "mediaFiles"."name" = ${name}
        )
      )`,
    )
    .executeTakeFirst()
}

type Row = Pick<
  {
    [Column in keyof ShareLinksTable]: ShareLinksTable[Column]
  },
  'videoId' | 'playlistId' | 'expiresAt' | 'maxViews' | 'createdAt' | 'lastUsedAt' | 'revokedAt'
> & { id: number; note: string; passwordHash: string | null; views: number }

function toShareLink({ passwordHash, ...row }: Row): ShareLink {
  return { ...row, hasPassword: passwordHash !== null, state: stateOf(row) }
}

function stateOf({
  revokedAt,
  expiresAt,
  maxViews,
  views,
}: Omit<Row, 'passwordHash'>): ShareLink['state'] {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= timestamp()) return 'expired'
  return maxViews !== null && views >= maxViews ? 'used-up' : 'live'
}
