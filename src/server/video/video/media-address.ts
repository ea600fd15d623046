import { type RawBuilder, sql } from 'kysely'
import { storeKey } from '#server/platform/files/media-store.ts'

/** SQL: folder in a video's public addresses. */
export const addressKey: RawBuilder<string> = sql`coalesce("videos"."addressKey", "videos"."mediaKey")`

/** SQL, in an update of a video. */
export function addressOf(file: string | null): RawBuilder<string | null> {
  if (file === null) return sql`NULL`
  return sql`'/media/' || ${addressKey} || '/' || ${file}`
}

/** Null for other sites' addresses. */
export function fileIn(address: string | null): string | null {
  return address?.startsWith('/media/') ? address.slice(address.lastIndexOf('/') + 1) : null
}

export function keyOf(mediaKey: string, address: string | null): string | null {
  const name = fileIn(address)
  return name && storeKey(mediaKey, name)
}
