import { type Database, readChangeCount } from '../db/database.ts'

const CACHE_BYTES_MAX = 8 * 1024 * 1024

export type PublicCache = ReturnType<typeof createPublicCache>

/**
 * Keeps what everybody is shown alike for as long as nothing at all was written to the database.
 * `null` is kept too: there is no such thing.
 */
export function createPublicCache(db: Database) {
  const texts = new Map<string, string | null>()
  let version = ''
  let bytes = 0
  const forget = (current: string) => {
    texts.clear()
    version = current
    bytes = 0
  }
  return {
    async read(key: string, make: () => Promise<string | null>): Promise<string | null> {
      const before = readChangeCount(db)
      if (before !== version) forget(before)
      const known = texts.get(key)
      if (known !== undefined) return known
      const made = await make()
      // What was written meanwhile may be in it or not.
      if (before !== version || before !== readChangeCount(db)) return made
      bytes += key.length + (made?.length ?? 0)
      if (bytes > CACHE_BYTES_MAX) forget(before)
      else texts.set(key, made)
      return made
    },
  }
}
