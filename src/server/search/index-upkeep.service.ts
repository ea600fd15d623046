import { setImmediate } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import {
  endChannelRename,
  findChannelRename,
  indexNewName,
  listUnreachedVideos,
} from './channel-rename.queries.ts'
import { mergeIndexParts } from './index-merge.queries.ts'
import { readIndexVersion } from './search.queries.ts'

type Deps = { db: Database; closing: AbortSignal }

/** Indexing a video takes some 0.1 ms of a free processor, and no request is to wait for 50. */
export const RENAMED_AT_A_TIME = 50

/**
 * Takes a channel's new name, of that user or else of any, to the next videos in the search index.
 * @returns whether there may be more to do
 */
export async function spreadChannelName(
  db: Database,
  input: { userId?: number } = {},
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const rename = await findChannelRename(transaction, input)
    if (!rename) return false
    const { userId } = rename
    const limit = RENAMED_AT_A_TIME
    const ids = await listUnreachedVideos(transaction, { ...rename, limit })
    if (ids.length > 0) await indexNewName(transaction, { userId, ids })
    if (ids.length < limit) await endChannelRename(transaction, userId)
    return true
  })
}

/**
 * Takes all channels' new names to all of their videos, a few at a time, and lets requests go first in
 * between. How far it came is in the database: after a restart it goes on from there.
 */
export async function spreadChannelNames({ db, closing }: Deps): Promise<void> {
  while (!closing.aborted && (await spreadChannelName(db))) {
    await setImmediate()
    await mergeIndexParts(db)
    await setImmediate()
  }
}

/**
 * What the search index needs now and then: new names are spread, and parts merged.
 * @param tidied the version of the index that needs nothing, as this answered before
 */
export async function tidySearchIndex(
  deps: Deps,
  tidied: number | undefined,
): Promise<number | undefined> {
  const { db, closing } = deps
  if ((await readIndexVersion(db)) === tidied) return tidied
  await spreadChannelNames(deps)
  const version = await readIndexVersion(db)
  while (!closing.aborted && (await mergeIndexParts(db))) await setImmediate()
  return closing.aborted ? undefined : version
}
