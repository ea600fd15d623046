import { createKeyedLock } from '#server/platform/locks/keyed-lock.ts'

/** Runs work after whatever runs for the same upload's id: one writer at a time. */
export const withUploadLock = createKeyedLock()
