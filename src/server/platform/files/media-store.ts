import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.ts'

/**
 * Folder or object storage of immutable files `media/<mediaKey>/<name>` or
 * `uploads/<uploadId>/<name>`.
 * @throws StoreError; only `put` may be half done
 */
export type MediaStore = {
  /** Durable; replaces existing files. */
  put(files: readonly FileToPut[]): Promise<void>
  /** Undefined if missing. The caller reads or destroys it. */
  openRange(key: string, range?: ByteRange): Promise<Readable | undefined>
  stat(key: string): Promise<FileState | undefined>
  /** `prefix` ends in a slash; sorted by key. */
  list(prefix: string): AsyncIterable<StoredFile>
  /** Key, or prefix that ends in a slash. */
  removePrefix(prefix: string): Promise<void>
  /** Undefined if missing; kept until released. */
  localCopy(key: string): Promise<LocalCopy | undefined>
  localPath(key: string): string | undefined
  remote?: RemoteStore
  /** The first gets new files. */
  parts?: readonly MediaStore[]
}

export type StoreElsewhere = MediaStore & { remote: RemoteStore }

export type RemoteStore = {
  /** Anyone with the address can read the file. */
  presign(
    key: string,
    options: { seconds: number; contentDisposition?: string | undefined },
  ): Promise<string>
  /** `s3://bucket/prefix`. */
  address: string
  /** Several are separated by spaces. */
  origin: string
  problem(): string | undefined
  copiedBytes(): number
  listCopies(): string[]
  removeCopies(prefix: string): Promise<void>
}

export type FileToPut = { key: string } & ({ path: string } | { bytes: Uint8Array })
export type FileState = { bytes: number; modifiedAt: Date }
export type StoredFile = FileState & { key: string }
/** Named like the file: media tasks derive names from it. */
export type LocalCopy = { path: string; release: () => void }

export class StoreError extends Error {
  /** `away` passes; `full`, `refused` and `changed` (other bytes than sent) need an admin. */
  readonly reason: 'away' | 'full' | 'refused' | 'changed'

  constructor(reason: StoreError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.reason = reason
  }
}

export const SOURCE_FILE = 'source'

export function storesElsewhere(media: MediaStore): StoreElsewhere[] {
  return (media.parts ?? [media]).filter((store): store is StoreElsewhere => Boolean(store.remote))
}

export function mediaUrl(mediaKey: string, file: string): string {
  return `/media/${mediaKey}/${file}`
}

/** Without a name: the folder's prefix. */
export function storeKey(mediaKey: string, name = ''): string {
  return `media/${mediaKey}/${name}`
}

export async function putFiles(
  media: MediaStore,
  input: { mediaKey: string; folder: string; names: readonly string[] },
): Promise<void> {
  const { mediaKey, folder, names } = input
  const files = names.map((name) => ({ key: storeKey(mediaKey, name), path: `${folder}/${name}` }))
  await media.put(files)
}

/** No path for null or a missing file. */
export async function withLocalCopies<Result>(
  media: MediaStore,
  keys: readonly (string | null)[],
  work: (paths: (string | undefined)[]) => Promise<Result>,
): Promise<Result> {
  const copies: (LocalCopy | undefined)[] = []
  try {
    for (const key of keys) copies.push(key === null ? undefined : await media.localCopy(key))
    return await work(copies.map((copy) => copy?.path))
  } finally {
    for (const copy of copies) copy?.release()
  }
}
