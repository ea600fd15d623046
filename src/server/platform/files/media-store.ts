import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-range.ts'

/**
 * Where the files of videos, channels and the site are: a folder, or object storage. A file lies under its key,
 * `media/<mediaKey>/<name>`, or `uploads/<uploadId>/<name>` while an upload arrives, and never changes under it.
 * @throws StoreError where the store does not do what it is asked to; nothing is half done then but what is put
 */
export type MediaStore = {
  /** Puts files under their keys, durably, in place of what was there; afterwards they are no longer at `path`. */
  put(files: readonly FileToPut[]): Promise<void>
  /** The bytes of a file, or of a part of it; undefined when there is none. Whoever gets them reads or destroys them. */
  openRange(key: string, range?: ByteRange): Promise<Readable | undefined>
  stat(key: string): Promise<FileState | undefined>
  /** All files whose keys begin with `prefix`, which ends in a slash, in the order of their keys. */
  list(prefix: string): AsyncIterable<StoredFile>
  /** Deletes all files whose keys begin with a prefix that ends in a slash, or else the file of that key. */
  removePrefix(prefix: string): Promise<void>
  /** A file for a program that reads from a disk; undefined when there is none. It stays until it is released. */
  localCopy(key: string): Promise<LocalCopy | undefined>
  /** Where a file is, or would be, on this machine, when reading it there costs nothing; undefined for one elsewhere. */
  localPath(key: string): string | undefined
  /** What only a store elsewhere can. */
  remote?: RemoteStore
  /** The stores that it consists of, where these are several: first the one that files are put into. */
  parts?: readonly MediaStore[]
}

export type StoreElsewhere = MediaStore & { remote: RemoteStore }

export type RemoteStore = {
  /** An address that answers with a file to whoever has it, for so long, and with this header. */
  presign(
    key: string,
    options: { seconds: number; contentDisposition?: string | undefined },
  ): Promise<string>
  /** As `MEDIA_STORE` names it: `s3://bucket/prefix`. */
  address: string
  /** Scheme, host and port of such addresses; those of several stores with a space between. */
  origin: string
  /** Why the store does not answer at present; undefined when it does. */
  problem(): string | undefined
  /** How much copies of its files take on this machine. */
  copiedBytes(): number
  /** The keys of the files that this machine has copies of. */
  listCopies(): string[]
  /** As `removePrefix`, for the copies alone. */
  removeCopies(prefix: string): Promise<void>
}

export type FileToPut = { key: string } & ({ path: string } | { bytes: Uint8Array })
export type FileState = { bytes: number; modifiedAt: Date }
export type StoredFile = FileState & { key: string }
/** A path that ends with the file's name, by which media work calls what it makes. */
export type LocalCopy = { path: string; release: () => void }

/** A store that does not do what it is asked to, and why, as a sentence for admins. */
export class StoreError extends Error {
  /**
   * `away` may pass: it is slow, restarts, or cannot be reached; `full` and `refused` need somebody, and so does `changed`:
   * it has other bytes than were sent.
   */
  readonly reason: 'away' | 'full' | 'refused' | 'changed'

  constructor(reason: StoreError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.reason = reason
  }
}

/** The name of the file of an upload or video that holds the bytes as they were uploaded. */
export const SOURCE_FILE = 'source'

/** The stores elsewhere that media lie in. */
export function storesElsewhere(media: MediaStore): StoreElsewhere[] {
  return (media.parts ?? [media]).filter((store): store is StoreElsewhere => Boolean(store.remote))
}

/** The address of a file. */
export function mediaUrl(mediaKey: string, file: string): string {
  return `/media/${mediaKey}/${file}`
}

/** The key of a file in the store; without a name, the prefix of all files of one media key. */
export function storeKey(mediaKey: string, name = ''): string {
  return `media/${mediaKey}/${name}`
}

/** Puts files of a folder under a media key. */
export async function putFiles(
  media: MediaStore,
  input: { mediaKey: string; folder: string; names: readonly string[] },
): Promise<void> {
  const { mediaKey, folder, names } = input
  const files = names.map((name) => ({ key: storeKey(mediaKey, name), path: `${folder}/${name}` }))
  await media.put(files)
}

/** Does work on files that lie on the disk meanwhile; a key without a file, or null, has no path. */
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
