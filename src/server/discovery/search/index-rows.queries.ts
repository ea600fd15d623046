import { sql } from 'kysely'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf } from '#server/platform/db/expressions.ts'
import { listNodes } from '#server/platform/db/node.queries.ts'
import { foldText } from '#server/platform/db/words.ts'
import { addToCounts, createTally, deleteCounted, insertCounted } from './index-counts.queries.ts'
import { listVideosToIndex } from './indexed-video.queries.ts'
import type { Connection } from './search-engine.ts'
import { searchEngineOf } from './search-engine-of.ts'
import { WORDS_FORMAT } from './text/words.ts'

/** Changed, hidden and deleted ones. */
export async function indexVideos(db: DatabaseTransaction, ids: number[]): Promise<void> {
  const engine = searchEngineOf(db)
  const videos = await listVideosToIndex(db, ids)
  const before = await deleteCounted(db, ids)
  await engine.deleteVideos(db, before.ids)
  await engine.insertVideos(db, videos)
  await insertCounted(db, videos)
  const tally = createTally()
  for (const counted of before.counted) tally.add(counted, -1)
  for (const video of videos) tally.add(video, 1)
  await addToCounts(db, tally)
  await foldTitles(db, ids)
}

/** Other programs write titles without folding. */
async function foldTitles(db: DatabaseTransaction, ids: number[]): Promise<void> {
  const titles = await db
    .selectFrom('videos')
    .select(['id', 'title', 'foldedTitle'])
    .where('id', 'in', listOf(ids))
    .execute()
  for (const { id, title, foldedTitle } of titles) {
    const folded = foldText(title)
    if (folded === foldedTitle) continue
    await db.updateTable('videos').set({ foldedTitle: folded }).where('id', '=', id).execute()
  }
}

/** @returns false if a transaction of another node writes the index */
export async function claimIndex(db: DatabaseTransaction): Promise<boolean> {
  const state = db.selectFrom('searchState').select('id').modifyEnd(searchEngineOf(db).lockRows)
  return (await state.executeTakeFirst()) !== undefined
}

export async function noteIndexChange(db: DatabaseTransaction): Promise<void> {
  await sql`UPDATE "searchState" SET "changes" = "changes" + 1`.execute(db)
}

export async function hasCurrentWords(db: Connection): Promise<boolean> {
  const { wordsFormat } = await db
    .selectFrom('searchState')
    .select('wordsFormat')
    .executeTakeFirstOrThrow()
  return wordsFormat >= WORDS_FORMAT
}

/** Does nothing while nodes of another version may write other words. */
export async function noteCurrentWords(db: DatabaseTransaction): Promise<boolean> {
  const versions = new Set((await listNodes(db)).map(({ version }) => version))
  if (versions.size > 1) return false
  await db.updateTable('searchState').set({ wordsFormat: WORDS_FORMAT }).execute()
  return true
}
