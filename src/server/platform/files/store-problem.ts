import { type MediaStore, storeKey } from './media-store.ts'

/** How often a store elsewhere is asked, besides what the site needs of it. */
const ASKED_MS = 10_000

const asked = new WeakMap<MediaStore, number>()

/**
 * Why the store of videos does not answer, as a sentence; undefined when it does. One that is away answers late, if at all:
 * what is said is what came of asking the last time.
 */
export function readStoreProblem(media: MediaStore): string | undefined {
  if (!media.remote) return undefined
  const now = performance.now()
  if (now - (asked.get(media) ?? -ASKED_MS) >= ASKED_MS) {
    asked.set(media, now)
    media.stat(storeKey('none', 'none')).catch(() => {})
  }
  return media.remote.problem()
}
