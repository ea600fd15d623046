import { type RawBuilder, sql } from 'kysely'
import { storeKey } from '#server/platform/files/media-store.ts'

/** SQL: what stands for the folder of a video in the addresses of its files. */
export const addressKey: RawBuilder<string> = sql`coalesce("videos"."addressKey", "videos"."mediaKey")`

/** SQL, within an update of a video: the address of one of its files now; null for none. */
export function addressOf(file: string | null): RawBuilder<string | null> {
  if (file === null) return sql`NULL`
  return sql`'/media/' || ${addressKey} || '/' || ${file}`
}

/** The name of the file that an address of this site is about; null for addresses elsewhere. */
export function fileIn(address: string | null): string | null {
  return address?.startsWith('/media/') ? address.slice(address.lastIndexOf('/') + 1) : null
}

/** The key in the store of the file that an address of a video is about; null where there is none. */
export function keyOf(mediaKey: string, address: string | null): string | null {
  const name = fileIn(address)
  return name && storeKey(mediaKey, name)
}
