import { type MediaStore, storeKey } from './media-store.ts'

const ASKED_MS = 10_000

const asked = new WeakMap<MediaStore, number>()

/** Result of the last probe, because an unavailable store answers late. */
export function readStoreProblem(media: MediaStore): string | undefined {
  if (!media.remote) return undefined
  const now = performance.now()
  if (now - (asked.get(media) ?? -ASKED_MS) >= ASKED_MS) {
    asked.set(media, now)
    media.stat(storeKey('none', 'none')).catch(() => {})
  }
  return media.remote.problem()
}
