import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '#server/platform/db/database.ts'
import { findViewerSecret } from '#server/platform/site/site.queries.ts'

const TOKEN = /^[\w-]{22}$/
const GRANT = /^([\da-z]{1,9})\.([\w-]{43})$/
const GRANT_SECONDS = 12 * 3600

/** 128 random bits, as they stand in a link's address. */
export function makeShareToken(): string {
  return randomBytes(16).toString('base64url')
}

/** The form in which the database has a token. */
export function hashShareToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Whether a text could be a token at all. */
export function isShareToken(text: string): boolean {
  return TOKEN.test(text)
}

/** Makes what says for twelve hours that a link was opened properly; it is part of the addresses of files. */
export async function makeGrant(db: Database, linkId: number): Promise<string> {
  const endsAt = (Math.floor(Date.now() / 1000) + GRANT_SECONDS).toString(36)
  return `${endsAt}.${(await sign(db, { linkId, endsAt })).toString('base64url')}`
}

/** Whether a grant is one of this link, and not over. */
export async function isGrantOf(
  db: Database,
  input: { linkId: number; grant: string | null | undefined },
): Promise<boolean> {
  const { linkId, grant } = input
  const [, endsAt, signature] = GRANT.exec(grant ?? '') ?? []
  if (!endsAt || !signature || Number.parseInt(endsAt, 36) * 1000 <= Date.now()) return false
  const given = Buffer.from(signature, 'base64url')
  const right = await sign(db, { linkId, endsAt })
  return given.length === right.length && timingSafeEqual(given, right)
}

async function sign(
  db: Database,
  { linkId, endsAt }: { linkId: number; endsAt: string },
): Promise<Buffer> {
  const secret = await findViewerSecret(db)
  return createHmac('sha256', secret).update(`share link ${linkId} ${endsAt}`).digest()
}
