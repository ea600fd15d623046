import { UPLOAD_IDLE_HOURS } from '#shared/limits.ts'

/** Which file of whom; the same file chosen after a reload has the same identity. */
export type FileIdentity = { userId: number; name: string; size: number; lastModified: number }

export const identityOf = ({ name, size, lastModified }: File, userId: number): FileIdentity => ({
  userId,
  name,
  size,
  lastModified,
})

type RememberedUpload = {
  uploadId: string
  /** True once the server was asked to finish: the answer may have been lost on its way. */
  completing: boolean
}

export type UploadMemory = {
  recall: (file: FileIdentity) => RememberedUpload | undefined
  remember: (file: FileIdentity, upload: RememberedUpload) => void
  forget: (file: FileIdentity) => void
  /** Forgets whatever file belongs to an upload that was given up. */
  forgetUpload: (uploadId: string) => void
}

type Entry = RememberedUpload & { at: number }

const KEY_PREFIX = 'clutch:upload:'
const LIFETIME_MS = UPLOAD_IDLE_HOURS * 3_600_000

/** Remembers open uploads in `storage`, as long as the server keeps them; without it, nothing. */
export function createUploadMemory(
  storage: Storage | undefined,
  now: () => number = Date.now,
): UploadMemory {
  const read = (key: string): Entry | undefined => {
    try {
      const entry = JSON.parse(storage?.getItem(key) ?? 'null') as Entry | null
      return entry && now() - entry.at < LIFETIME_MS ? entry : undefined
    } catch {
      return undefined
    }
  }
  const removeWhere = (gone: (key: string) => boolean) => {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index))
    for (const key of keys) if (key?.startsWith(KEY_PREFIX) && gone(key)) storage?.removeItem(key)
  }
  return {
    recall: (file) => read(keyOf(file)),
    remember: (file, upload) => {
      try {
        removeWhere((key) => !read(key))
        storage?.setItem(keyOf(file), JSON.stringify({ ...upload, at: now() } satisfies Entry))
      } catch {
        // A full or forbidden storage costs only the resuming after a reload.
      }
    },
    forget: (file) => storage?.removeItem(keyOf(file)),
    forgetUpload: (uploadId) => removeWhere((key) => read(key)?.uploadId === uploadId),
  }
}

/** Undefined where the browser stores nothing for this site: reading the property throws. */
export function findStorage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}

function keyOf({ userId, name, size, lastModified }: FileIdentity): string {
  return `${KEY_PREFIX}${userId}:${size}:${lastModified}:${name}`
}

export const uploadMemory = createUploadMemory(findStorage())
