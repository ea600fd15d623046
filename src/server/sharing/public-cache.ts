import { type Database, followChanges } from '../db/database.ts'
import { createKept } from '../db/kept.ts'

const CACHE_BYTES_MAX = 8 * 1024 * 1024

/**
 * Keeps what everybody is shown alike until any of it changes. `null` is kept too: there is no such
 * thing.
 */
export function createPublicCache<Value extends { length: number } | null = string | null>(
  db: Database,
) {
  return createKept<Value>(followChanges(db), {
    bytesMax: CACHE_BYTES_MAX,
    bytesOf: (text) => text?.length ?? 0,
  })
}
