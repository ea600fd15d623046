import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { isSameSecret } from '#server/platform/secret-digest.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'

/** `password` is a hash. */
type Account = { id: number; password: string }

const TOKEN = /^([\w-]{22})\.([\w-]{43})$/

/**
 * Proves an earlier login of this browser: failures of others at its address do not count for it. A
 * new password ends it.
 */
export async function makeDeviceToken(db: Database, account: Account): Promise<string> {
  const name = randomBytes(16).toString('base64url')
  return `${name}.${(await sign(db, { account, name })).toString('base64url')}`
}

export async function readDeviceToken(
  db: Database,
  { token, account }: { token: string | undefined; account: Account },
): Promise<string | undefined> {
  const [, name, signature] = TOKEN.exec(token ?? '') ?? []
  if (!name || !signature) return undefined
  const right = await sign(db, { account, name })
  return isSameSecret(Buffer.from(signature, 'base64url'), right) ? name : undefined
}

async function sign(
  db: Database,
  { account, name }: { account: Account; name: string },
): Promise<Buffer> {
  const secret = await findViewerSecret(db)
  const text = `known device ${account.id} ${name} ${account.password}`
  return createHmac('sha256', secret).update(text).digest()
}
