import { LRUCache } from 'lru-cache'
import type { FileState, MediaStore } from '#server/platform/files/media-store.ts'

/** About a megabyte of memory. */
const KNOWN_MAX = 5000
/** Files up to this size are as fast to copy as to send. */
const SMALL_BYTES = 4 * 1024 * 1024
/** Requests after which a larger file is copied: somebody is watching. */
const TIMES_ASKED = 3
const COPIES_AT_A_TIME = 2

/** Players' interval for a lost file. */
const RECHECK_MS = 5000

type KnownFile = FileState & { timesAsked: number; foundAt: number }

/**
 * Facts stay valid: remote files never change.
 * @param cacheBytes files above a quarter of it are not copied
 */
export function createStoredFiles(media: MediaStore, { cacheBytes }: { cacheBytes: number }) {
  const known = new LRUCache<string, KnownFile>({ max: KNOWN_MAX })
  const copying = new Set<string>()

  async function copy(key: string): Promise<void> {
    copying.add(key)
    try {
      const made = await media.localCopy(key)
      made?.release()
    } catch {
      // The store serves this viewer; the next request retries.
    } finally {
      copying.delete(key)
    }
  }
  return {
    /**
     * @param needsFresh not older than some seconds
     * @throws StoreError
     */
    async find(key: string, { needsFresh = false } = {}): Promise<FileState | undefined> {
      const found = known.get(key)
      const isOld = needsFresh && performance.now() - (found?.foundAt ?? 0) > RECHECK_MS
      if (found && !isOld && !media.remote?.problem()) return found
      const state = await media.stat(key)
      const { timesAsked = 0 } = found ?? {}
      if (state) known.set(key, { ...state, timesAsked, foundAt: performance.now() })
      else known.delete(key)
      return state
    },

    forget: (key: string) => known.delete(key),

    /** Copies when worthwhile, at most two at a time, so that playback survives an outage. */
    noteSent(key: string): void {
      const file = known.get(key)
      if (!file) return
      file.timesAsked += 1
      const isWanted = file.bytes <= SMALL_BYTES || file.timesAsked >= TIMES_ASKED
      const fits = file.bytes * 4 <= cacheBytes
      if (isWanted && fits && copying.size < COPIES_AT_A_TIME && !copying.has(key)) void copy(key)
    },
  }
}
