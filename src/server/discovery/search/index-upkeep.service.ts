import { setTimeout as pause } from 'node:timers/promises'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  readChangeCount,
} from '#server/platform/db/database.ts'
import { isDatabaseFile } from '#server/platform/db/maintain.ts'
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

/** Some 0.2 ms each; requests wait no longer. */
export const INDEXED_AT_A_TIME = 20
/** Merging a few parts takes short steps; each of many parts is opened in each step. */
const TIDIED_AFTER = 16
/**
 * A request of several statements would else wait for a step before each. See
 * docs/decisions/0069-memory-and-the-first-start.md.
 */
const REST_MS = 10
/** After a change; else SQLite's counters alone are read. */
const POLL_MS = 200

/** @returns a function that stops it and waits for work in progress */
export function startIndexing({ db, closing, log }: Deps & { log: Log }): () => Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([closing, ending.signal])
  const work = async () => {
    let isFailing = false
    let done: number | undefined
    while (!signal.aborted) {
      try {
        const changes = isDatabaseFile(db) ? readChangeCount(db) : undefined
        if (changes === undefined || changes !== done) {
          const isCurrent = await renewWords(db)
          await indexWaiting({ db, closing: signal })
          done = isCurrent ? changes : undefined
        }
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
 * Reindexes after a format change, once no node of another version runs; old words are found until
 * then.
 * @returns whether the index has this version's words, or will
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

export async function indexWaiting({ db, closing }: Deps): Promise<void> {
  for (let turn = 1; !closing.aborted && (await indexNext(db)); turn++) {
    await pause(REST_MS)
    if (turn % TIDIED_AFTER === 0) await tidyIndex({ db, closing })
  }
}

/** @returns whether there may be more */
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

/** For all channels together: one may have tens of thousands. */
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

/** @param tidied version that an earlier call found tidy */
export async function tidySearchIndex(
  { db, closing }: Deps,
  tidied: number | undefined,
): Promise<number | undefined> {
  const version = await readIndexVersion(db)
  if (version === tidied) return tidied
  await tidyIndex({ db, closing })
  return closing.aborted ? undefined : version
}

async function tidyIndex({ db, closing }: Deps): Promise<void> {
  while (!closing.aborted && (await searchEngineOf(db).tidy(db))) await pause(REST_MS)
}
