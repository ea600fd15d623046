/** Name of the cache with the files of the share sheet. `service-worker.js` has the same name. */
export const SHARED_FILES = 'shared-files'

/** Resolves to false without Cache Storage, which needs HTTPS. */
export async function hasSharedFiles(): Promise<boolean> {
  try {
    return await caches.has(SHARED_FILES)
  } catch {
    return false
  }
}
