import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { containsText } from '#server/platform/db/expressions.ts'
import { decodeCursor, toPage } from '#server/platform/db/paging.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import type { Invite } from '#shared/schemas/desk/member.schemas.ts'
import type { Face } from '#shared/schemas/user.schemas.ts'
import { isShownUser } from '../user/user.queries.ts'

const isOpen = (): RawBuilder<SqlBool> => sql`(
  "invites"."revokedAt" IS NULL AND "invites"."uses" < "invites"."usesMax"
  AND ("invites"."expiresAt" IS NULL OR "invites"."expiresAt" > ${timestamp()})
)`

function selectInvites(db: Database) {
  return db
    .selectFrom('invites')
    .leftJoin('users', 'users.id', 'invites.createdBy')
    .select(['invites.id', 'invites.note', 'invites.usesMax', 'invites.uses'])
    .select(['invites.expiresAt', 'invites.createdAt', 'users.username as createdByName'])
    .select(
      sql<Invite['state']>`CASE
        WHEN "invites"."revokedAt" IS NOT NULL THEN 'revoked'
        WHEN "invites"."uses" >= "invites"."usesMax" THEN 'used-up'
        WHEN "invites"."expiresAt" <= ${timestamp()} THEN 'expired'
        ELSE 'open' END`.as('state'),
    )
}

export async function listInvites(db: Database, input: PageInput & { q?: string | undefined }) {
  let query = selectInvites(db)
    .orderBy('invites.id', 'desc')
    .limit(input.limit + 1)
  if (input.q) {
    query = query.where(containsText(['invites.note', 'users.username'], input.q))
  }
  if (input.cursor) query = query.where('invites.id', '<', decodeCursor(input.cursor).id)
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => row,
  })
}

export async function findInvite(db: Database, id: number): Promise<Invite | undefined> {
  return selectInvites(db).where('invites.id', '=', id).executeTakeFirst()
}

export async function insertInvite(
  db: Database,
  invite: {
    codeHash: string
    usesMax: number
    expiresAt: string | null
    note: string
    createdBy: number
  },
): Promise<number> {
  const { id } = await db
    .insertInto('invites')
    .values({ ...invite, createdAt: timestamp() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRevoked(
  db: Database,
  id: number,
): Promise<{ note: string; usesMax: number } | undefined> {
  return db
    .updateTable('invites')
    .set({ revokedAt: timestamp() })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning(['note', 'usesMax'])
    .executeTakeFirst()
}

export async function inviteIsOpen(db: Database, codeHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('invites')
    .select('id')
    .where('codeHash', '=', codeHash)
    .where(isOpen())
    .executeTakeFirst()
  return row !== undefined
}

/** Returns undefined if the invite cannot be used, and no name if its creator is banned or gone. */
export async function findInviter(
  db: Database,
  codeHash: string,
): Promise<{ displayName: string | null } | undefined> {
  return db
    .selectFrom('invites')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'invites.createdBy').on(isShownUser))
    .select('users.displayName')
    .where('invites.codeHash', '=', codeHash)
    .where(isOpen())
    .executeTakeFirst()
}

/** Returns the members who joined first. */
export async function listFirstMembers(db: Database, limit: number): Promise<Face[]> {
  return db
    .selectFrom('users')
    .select(['id', 'displayName', 'avatarUrl'])
    .where(isShownUser)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function countMembers(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(isShownUser)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** @returns false when unusable */
export async function spendInvite(db: Database, codeHash: string): Promise<boolean> {
  const result = await db
    .updateTable('invites')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('codeHash', '=', codeHash)
    .where(isOpen())
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
