import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { digestOf, isSameSecret } from '#server/platform/secret-digest.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'

const TOKEN = /^[\w-]{22}$/
const GRANT = /^([\da-z]{1,9})\.([\w-]{43})$/
const GRANT_SECONDS = 12 * 3600

/** 128 random bits. */
export function makeShareToken(): string {
  return randomBytes(16).toString('base64url')
}

export function hashShareToken(token: string): string {
  return digestOf(token)
}

export function isShareToken(text: string): boolean {
  return TOKEN.test(text)
}

/** For twelve hours. */
export async function makeGrant(db: Database, linkId: number): Promise<string> {
  const endsAt = (Math.floor(Date.now() / 1000) + GRANT_SECONDS).toString(36)
  return `${endsAt}.${(await sign(db, { linkId, endsAt })).toString('base64url')}`
}

export async function isGrantOf(
  db: Database,
  input: { linkId: number; grant: string | null | undefined },
): Promise<boolean> {
  const { linkId, grant } = input
  const [, endsAt, signature] = GRANT.exec(grant ?? '') ?? []
  if (!endsAt || !signature || Number.parseInt(endsAt, 36) * 1000 <= Date.now()) return false
  const right = await sign(db, { linkId, endsAt })
  return isSameSecret(Buffer.from(signature, 'base64url'), right)
}

async function sign(
  db: Database,
  { linkId, endsAt }: { linkId: number; endsAt: string },
): Promise<Buffer> {
  const secret = await findViewerSecret(db)
  return createHmac('sha256', secret).update(`share link ${linkId} ${endsAt}`).digest()
}
