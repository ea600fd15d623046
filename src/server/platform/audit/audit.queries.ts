import type { AuditAction } from '#shared/admin-limits.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { type Database, timestamp } from '../db/database.ts'
import { containsText } from '../db/expressions.ts'
import { decodeCursor, toPage } from '../db/paging.ts'
import type { Viewer } from '../viewer.ts'

type AuditTarget = {
  kind:
    | 'video'
    | 'comment'
    | 'post'
    | 'squad'
    | 'clip'
    | 'member'
    | 'report'
    | 'invite'
    | 'backup'
    | 'site'
  id: number | null
  name: string
}

const NAME_MAX = 200
const LOGINS: AuditAction[] = ['member.login', 'member.fail-login']

/** A null `actor` is the site itself. See docs/decisions/0030-database-triggers.md. */
export async function insertAuditEntry(
  db: Database,
  act: {
    actor: Pick<Viewer, 'id' | 'username'> | null
    action: AuditAction
    target: AuditTarget
    reason?: string
  },
): Promise<void> {
  const { actor, action, target, reason } = act
  await db
    .insertInto('auditLog')
    .values({
      createdAt: timestamp(),
      actorId: actor?.id ?? null,
      actorName: actor?.username ?? 'Clutch',
      action,
      targetKind: target.kind,
      targetId: target.id,
      targetName: cutText(target.name, NAME_MAX),
      reason: reason ?? '',
    })
    .execute()
}

export async function listAuditEntries(
  db: Database,
  input: PageInput & {
    q?: string | undefined
    action?: AuditAction | undefined
    withLogins: boolean
  },
) {
  let query = db
    .selectFrom('auditLog')
    .select(['id', 'createdAt', 'actorId', 'actorName', 'action'])
    .select(['targetKind', 'targetId', 'targetName', 'reason'])
    .orderBy('id', 'desc')
    .limit(input.limit + 1)
  if (input.action) query = query.where('action', '=', input.action)
  if (!input.withLogins) query = query.where('action', 'not in', LOGINS)
  if (input.q) {
    query = query.where(containsText(['actorName', 'targetName', 'reason'], input.q))
  }
  if (input.cursor) query = query.where('id', '<', decodeCursor(input.cursor).id)
  return toPage(await query.execute(), input.limit, {
    position: (row) => ({ time: row.createdAt, id: row.id }),
    item: (row) => row,
  })
}
