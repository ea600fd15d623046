import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { isWritable } from '#server/platform/db/move/writable.ts'
import {
  claimIndex,
  hasCurrentWords,
  indexVideos,
  noteCurrentWords,
  noteIndexChange,
} from './index-rows.queries.ts'
import { readIndexVersion } from './index-words.queries.ts'
import {
  addAllChannels,
  deleteWaiting,
  listUnreachedVideos,
  listWaiting,
  lockWaiting,
  updateReached,
  type Waiting,
} from './outbox.queries.ts'
import { searchEngineOf } from './search-engine-of.ts'

type Deps = { db: Database; closing: AbortSignal }
type Log = { warn: (details: object, message: string) => void }

/** Indexing a video takes some 0.2 ms of a free processor, and no request is to wait for 50. */
export const INDEXED_AT_A_TIME = 50
/** How often is looked whether anything changed: some 30 µs. */
const POLL_MS = 200

/**
 * Brings the search index up to what changed, whoever changed it, all the time.
 * @returns a function that ends it, and waits for what is under way
 */
export function startIndexing({ db, closing, log }: Deps & { log: Log }): () => Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([closing, ending.signal])
  const work = async () => {
    // Of a database that is away the log hears once.
    let isFailing = false
    while (!signal.aborted) {
      try {
        await renewWords(db)
        await indexWaiting({ db, closing: signal })
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'indexing failed; it is tried again')
        isFailing = true
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = work()
  return () => {
    ending.abort()
    return running
  }
}

/**
 * Has all videos and channels indexed once more when another version made the words of the index, once no node of another version
 * is left. Meanwhile videos are found by the words of before.
 * @returns whether the index has the words of this version, or will have them
 */
export async function renewWords(db: Database): Promise<boolean> {
  if (await hasCurrentWords(db)) return true
  if (!(await isWritable(db))) return false
  return inTransaction(db, async (transaction) => {
    if (!(await claimIndex(transaction)) || !(await noteCurrentWords(transaction))) return false
    await addAllChannels(transaction)
    return true
  })
}

/** Indexes all that waits, a little at a time, and lets requests go first in between. */
export async function indexWaiting({ db, closing }: Deps): Promise<void> {
  while (!closing.aborted && (await indexNext(db))) await setImmediate()
}

/**
 * Indexes the next of what waits. How far it came is in the database: after a restart it goes on from there.
 * @returns whether there may be more
 */
export async function indexNext(db: Database): Promise<boolean> {
  const [first] = await listWaiting(db, 1)
  if (!first || !(await isWritable(db))) return false
  return inTransaction(db, async (transaction) => {
    if (!(await claimIndex(transaction))) return false
    const waiting = await lockWaiting(transaction, INDEXED_AT_A_TIME)
    if (waiting.length === 0) return false
    const videos = waiting.filter(({ kind }) => kind === 'video').map(({ id }) => id)
    if (videos.length > 0) {
      await indexVideos(transaction, videos)
      await deleteWaiting(transaction, { kind: 'video', ids: videos })
    } else await indexChannels(transaction, waiting)
    await noteIndexChange(transaction)
    return true
  })
}

/** As many as have so many videos together; one may have tens of thousands, each of which has its name in the index. */
async function indexChannels(db: DatabaseTransaction, channels: Waiting[]): Promise<void> {
  let limit = INDEXED_AT_A_TIME
  for (const channel of channels) {
    const { id, reachedId } = channel
    if (reachedId === 0) await searchEngineOf(db).updateChannel(db, id)
    const ids = await listUnreachedVideos(db, { ...channel, limit })
    if (ids.length > 0) await indexVideos(db, ids)
    if (ids.length === limit) return updateReached(db, { id, reachedId: ids.at(-1) ?? 0 })
    await deleteWaiting(db, { kind: 'channel', ids: [id] })
    limit -= ids.length
  }
}

/**
 * Does what makes searches faster after changes of the index.
 * @param tidied the version of the index that needs nothing, as this answered before
 */
export async function tidySearchIndex(
  { db, closing }: Deps,
  tidied: number | undefined,
): Promise<number | undefined> {
  const version = await readIndexVersion(db)
  if (version === tidied) return tidied
  while (!closing.aborted && (await searchEngineOf(db).tidy(db))) await setImmediate()
  return closing.aborted ? undefined : version
}
