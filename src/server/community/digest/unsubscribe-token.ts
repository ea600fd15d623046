import { createHmac } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { isSameSecret } from '#server/platform/secret-digest.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/

/** The token never expires, because it can do nothing else. */
export async function makeUnsubscribeToken(db: Database, userId: number): Promise<string> {
  return `${userId}.${(await sign(db, userId)).toString('base64url')}`
}

export async function readUnsubscribeToken(
  db: Database,
  token: string,
): Promise<number | undefined> {
  const [, id, signature = ''] = TOKEN.exec(token) ?? []
  if (id === undefined) return undefined
  const right = await sign(db, Number(id))
  return isSameSecret(Buffer.from(signature, 'base64url'), right) ? Number(id) : undefined
}

async function sign(db: Database, userId: number): Promise<Buffer> {
  const secret = await findViewerSecret(db)
  return createHmac('sha256', secret).update(`no digest for ${userId}`).digest()
}
