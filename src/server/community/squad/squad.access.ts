import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'

/**
 * SQL: the viewer may know of the squad. A squad by invitation is known only to its members, those
 * it has invited, and admins.
 */
export function isVisibleSquad(viewer: Viewer): RawBuilder<SqlBool> {
  if (viewer.isAdmin) return sql`("squads"."deletedAt" IS NULL)`
  return sql`("squads"."deletedAt" IS NULL AND ("squads"."joining" <> 'invite' OR EXISTS (
    SELECT 1 FROM "squadMembers"
    WHERE "squadMembers"."squadId" = "squads"."id" AND "squadMembers"."userId" = ${viewer.id}
  ) OR EXISTS (
    SELECT 1 FROM "squadInvites"
    WHERE "squadInvites"."squadId" = "squads"."id" AND "squadInvites"."userId" = ${viewer.id}
  )))`
}

/** @throws `forbidden` unless the viewer is the owner or an officer */
export function requireLeads({ myRole }: Pick<Squad, 'myRole'>): void {
  if (myRole === 'owner' || myRole === 'officer') return
  throw new AppError('forbidden', 'Only its owner and officers can do this.')
}

/** @throws `forbidden` unless the viewer is the owner */
export function requireOwns({ myRole }: Pick<Squad, 'myRole'>): void {
  if (myRole !== 'owner') throw new AppError('forbidden', 'Only its owner can do this.')
}
