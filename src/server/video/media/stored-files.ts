import { LRUCache } from 'lru-cache'
import type { FileState, MediaStore } from '#server/platform/files/media-store.ts'

/** What is known of so many files is remembered: about a megabyte. */
const KNOWN_MAX = 5000
/** Pictures, playlists, captions: a copy is as quick as an answer. */
const SMALL_BYTES = 4 * 1024 * 1024
/** A larger file is being watched when it is asked for so often: players take it in many parts. */
const TIMES_ASKED = 3
const COPIES_AT_A_TIME = 2

/** Players ask so whether what they lost is there again. */
const LOOK_AGAIN_MS = 5000

type KnownFile = FileState & { timesAsked: number; foundAt: number }

/**
 * What is known of the files of a store elsewhere, without asking it each time: a file never changes under its key.
 * @param cacheBytes room for copies; a file that would take more than a quarter of it is not copied
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
      // Whoever watches gets it from the store; the next who ask try again.
    } finally {
      copying.delete(key)
    }
  }
  return {
    /**
     * @param isLook whether somebody asks if it can be had now; what was found a moment ago is an answer still
     * @throws StoreError
     */
    async find(key: string, { isLook = false } = {}): Promise<FileState | undefined> {
      const found = known.get(key)
      const isOld = isLook && performance.now() - (found?.foundAt ?? 0) > LOOK_AGAIN_MS
      if (found && !isOld && !media.remote?.problem()) return found
      const state = await media.stat(key)
      const { timesAsked = 0 } = found ?? {}
      if (state) known.set(key, { ...state, timesAsked, foundAt: performance.now() })
      else known.delete(key)
      return state
    },

    /** The store has it no longer. */
    forget: (key: string) => known.delete(key),

    /**
     * Counts that somebody is being sent a file, and begins to copy what is wanted here: it plays on then when the store
     * goes away. While two are on their way no third begins; the next request asks again.
     */
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
