import { type FileHandle, open } from 'node:fs/promises'
import { sep } from 'node:path'

/** A file is opened anew after this, so that one removed by hand is soon seen to be gone. */
const FRESH_MS = 3000
const OPEN_FILES_MAX = 256

/** A file that is open for somebody; to be released once. */
export type OpenFile = {
  handle: FileHandle
  /** In bytes. */
  size: number
  modifiedAt: Date
  /** Calls `end` when the file is deleted; it holds the space until it is released. */
  onDeletion: (end: () => void) => void
  release: () => void
}

type Opened = Pick<OpenFile, 'handle' | 'size' | 'modifiedAt'>
type User = { end?: () => void }

type Entry = {
  path: string
  opening: Promise<Opened>
  opened?: Opened
  openedAt: number
  users: Set<User>
  /** Nobody else gets it: it is closed when the last one releases it. */
  isRetired: boolean
  isDeleted: boolean
}

/** Those that the next one who asks may get. */
const entries = new Map<string, Entry>()
/** Those, and older ones that somebody still reads. */
const openEntries = new Set<Entry>()
let sweep: NodeJS.Timeout | undefined

/**
 * Opens a file to be read, or takes one that was opened within the last seconds.
 * @returns undefined when there is no such file
 */
export async function takeFile(path: string): Promise<OpenFile | undefined> {
  const entry = findFresh(path) ?? keep(path)
  const { user, release } = addUser(entry)
  try {
    entry.opened ??= await entry.opening
  } catch (error) {
    retire(entry)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (entry.isDeleted) {
    release()
    return undefined
  }
  return handOut(entry.opened, { user, release })
}

/** The same for a file that is open now. */
export function takeOpenFile(path: string): OpenFile | undefined {
  const entry = findFresh(path)
  return entry?.opened && handOut(entry.opened, addUser(entry))
}

function addUser(entry: Entry) {
  const user: User = {}
  entry.users.add(user)
  const release = () => {
    if (entry.users.delete(user)) closeUnused(entry)
  }
  return { user, release }
}

function handOut(opened: Opened, { user, release }: { user: User; release: () => void }): OpenFile {
  const onDeletion = (end: () => void) => {
    user.end = end
  }
  return { ...opened, onDeletion, release }
}

/**
 * Lets go of a deleted file, or of all files of a deleted folder: the disk gets the space back at once,
 * and who is in the middle of reading is cut off.
 */
export function forgetFiles(path: string): void {
  for (const entry of openEntries) {
    if (entry.path !== path && !entry.path.startsWith(path + sep)) continue
    entry.isDeleted = true
    retire(entry)
    for (const { end } of entry.users) end?.()
  }
}

function findFresh(path: string): Entry | undefined {
  const entry = entries.get(path)
  if (!entry || performance.now() - entry.openedAt < FRESH_MS) return entry
  retire(entry)
  return undefined
}

function keep(path: string): Entry {
  const entry: Entry = {
    path,
    opening: openRegular(path),
    openedAt: performance.now(),
    users: new Set(),
    isRetired: false,
    isDeleted: false,
  }
  entries.set(path, entry)
  openEntries.add(entry)
  const [oldest] = entries.values()
  if (entries.size > OPEN_FILES_MAX && oldest) retire(oldest)
  sweep ??= setInterval(closeStale, FRESH_MS).unref()
  return entry
}

async function openRegular(path: string) {
  const handle = await open(path, 'r')
  try {
    const { size, mtime } = await handle.stat()
    return { handle, size, modifiedAt: mtime }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function closeStale(): void {
  for (const path of entries.keys()) findFresh(path)
  if (entries.size > 0) return
  clearInterval(sweep)
  sweep = undefined
}

function retire(entry: Entry): void {
  entry.isRetired = true
  if (entries.get(entry.path) === entry) entries.delete(entry.path)
  closeUnused(entry)
}

function closeUnused(entry: Entry): void {
  if (!entry.isRetired || entry.users.size > 0 || !openEntries.delete(entry)) return
  entry.opening.then(({ handle }) => handle.close()).catch(() => {})
}
