import { type Database, followChanges } from '../db/database.ts'
import { createKept, type Kept } from '../db/kept.ts'

const CACHE_BYTES_MAX = 8 * 1024 * 1024

export type PublicCache = Kept<string | null>

/**
 * Keeps what everybody is shown alike until any of it changes. `null` is kept too: there is no such
 * thing.
 */
export function createPublicCache(db: Database): PublicCache {
  return createKept<string | null>(followChanges(db), {
    bytesMax: CACHE_BYTES_MAX,
    bytesOf: (text) => text?.length ?? 0,
  })
}
