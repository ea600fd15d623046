import { openPartFile } from './part-file.ts'
import type { TrimRange, TrimSource } from './trim-source.ts'

const FOLDER = 'trimmed'
const NEEDS_HTTPS = 'Trimming before the upload needs a site with HTTPS.'
const NEEDS_ANOTHER_BROWSER = 'Trimming before the upload needs a newer browser.'
const NEEDS_STORAGE =
  'Trimming before the upload needs storage, which this browser does not allow here (in a private window, for example).'
const OTHER_CONTAINER =
  'Only MP4, MOV, MKV and WebM files can be trimmed before the upload. Trim others afterwards.'

/** A sentence, if no part of a file of this name can be copied here. */
export async function findTrimProblem(name: string): Promise<string | undefined> {
  if (!hasTrimmableName(name)) return OTHER_CONTAINER
  // Browsers provide files and locks in secure contexts only.
  if (!globalThis.isSecureContext) return NEEDS_HTTPS
  const hasFiles = 'storage' in navigator && 'getDirectory' in navigator.storage
  if (!hasFiles || !('locks' in navigator)) return NEEDS_ANOTHER_BROWSER
  return navigator.storage.getDirectory().then(
    () => undefined,
    () => NEEDS_STORAGE,
  )
}

export function hasTrimmableName(name: string): boolean {
  return /\.(mp4|m4v|mov|mkv|webm)$/i.test(name)
}

export type TrimmedFile = {
  file: File
  /** Deletes the file. */
  discard: () => void
}

type Options = { signal: AbortSignal; onProgress: (share: number) => void }

/**
 * Stored in the origin private file system as long as the page lives
 * (docs/decisions/0039-trimmed-before-the-upload.md).
 * @throws the signal's reason, TrimError, or `QuotaExceededError`
 */
export async function trimFile(
  source: TrimSource,
  original: File,
  range: TrimRange,
  options: Options,
): Promise<TrimmedFile> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(FOLDER, { create: true })
  await sweep(folder)
  const entry = crypto.randomUUID()
  const release = await holdLock(entry)
  const discard = () => {
    release()
    void folder.removeEntry(entry).catch(() => undefined)
  }
  try {
    const handle = await folder.getFileHandle(entry, { create: true })
    const writable = await openPartFile(handle, { folder: FOLDER, entry })
    await source.copy(range, { ...options, writable })
    const { name, type, lastModified } = original
    const file = new File([await handle.getFile()], name, { type, lastModified })
    return { file, discard }
  } catch (error) {
    discard()
    throw error
  }
}

/** Deletes files of closed pages. */
async function sweep(folder: FileSystemDirectoryHandle): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  const kept = new Set(held.map(({ name }) => name))
  for await (const name of folder.keys()) {
    if (!kept.has(name)) await folder.removeEntry(name).catch(() => undefined)
  }
}

/** Marks the file as used until release or page end. */
function holdLock(name: string): Promise<() => void> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, () => new Promise<void>((release) => resolve(release)))
  })
}
