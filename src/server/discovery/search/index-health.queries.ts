import { setTimeout as pause } from 'node:timers/promises'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import { addToCounts, createTally, insertCounted, isStored, toRow } from './index-counts.queries.ts'
import { claimIndex, noteCurrentWords, noteIndexChange } from './index-rows.queries.ts'
import { listNextToIndex } from './indexed-video.queries.ts'
import type { IndexedVideo } from './indexed-video.ts'
import { listWaiting } from './outbox.queries.ts'
import { searchEngineOf } from './search-engine-of.ts'

const VIDEOS_AT_A_TIME = 1000
const TURN_PAUSE_MS = 50

/** Some 5 s for 100,000 videos. Other nodes run on, and index later changes. */
export async function rebuildSearchIndex(db: Database): Promise<void> {
  while (!(await rebuildInTurn(db))) await pause(TURN_PAUSE_MS)
  // Pollers read this row and would conflict.
  await inTransaction(db, noteIndexChange)
}

function rebuildInTurn(db: Database): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (!(await claimIndex(transaction))) return false
    for (const table of ['searchedVideos', 'searchTerms', 'searchTags'] as const) {
      await transaction.deleteFrom(table).execute()
    }
    const engine = searchEngineOf(transaction)
    await engine.reset(transaction)
    const tally = await forAllVideos(transaction, async (videos) => {
      await engine.insertVideos(transaction, videos)
      await insertCounted(transaction, videos)
    })
    await engine.tidyAll(transaction)
    await addToCounts(transaction, tally)
    await noteCurrentWords(transaction)
    return true
  })
}

async function forAllVideos(
  db: DatabaseTransaction,
  work: (videos: IndexedVideo[]) => Promise<void>,
): Promise<ReturnType<typeof createTally>> {
  const tally = createTally()
  let afterId = 0
  for (;;) {
    const videos = await listNextToIndex(db, { afterId, limit: VIDEOS_AT_A_TIME })
    await work(videos)
    for (const video of videos) tally.add(video, 1)
    if (videos.length < VIDEOS_AT_A_TIME) return tally
    afterId = videos.at(-1)?.id ?? 0
  }
}

/**
 * @param db read-only and exclusive
 * @returns true also while changes wait
 */
export async function indexIsWhole(db: Database): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if ((await listWaiting(transaction, 1)).length > 0) return true
    let countsAgree = true
    const addAll = async (add: (videos: IndexedVideo[]) => Promise<void>) => {
      let count = 0
      const tally = await forAllVideos(transaction, async (videos) => {
        await add(videos)
        count += videos.length
        countsAgree &&= await areCounted(transaction, videos)
      })
      countsAgree &&= await isStored(transaction, { tally, count })
    }
    return (await searchEngineOf(transaction).isWhole(transaction, addAll)) && countsAgree
  })
}

async function areCounted(db: DatabaseTransaction, videos: IndexedVideo[]): Promise<boolean> {
  const [first, last] = [videos[0], videos.at(-1)]
  if (!first || !last) return true
  const rows = await db
    .selectFrom('searchedVideos')
    .selectAll()
    .where('videoId', '>=', first.id)
    .where('videoId', '<=', last.id)
    .execute()
  const counted = new Map(rows.map((row) => [row.videoId, row]))
  return videos.every((video) => {
    const [found, expected] = [counted.get(video.id), toRow(video)]
    return (
      found?.words === expected.words &&
      found.tags === expected.tags &&
      found.visibility === expected.visibility
    )
  })
}
