/** Videos per word and tag: all, and public ones. */

import { sql } from 'kysely'
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import { listOf, listOfTexts } from '#server/platform/db/expressions.ts'
import type { IndexedVideo } from './indexed-video.ts'
import { searchEngineOf } from './search-engine-of.ts'
import { toPlainName } from './text/words.ts'

export type Counted = Pick<IndexedVideo, 'words' | 'tagNames' | 'visibility'>
type Counts = { videoCount: number; publicCount: number }
type Tally = ReturnType<typeof createTally>
type CountedKind = keyof Tally['counts']

const TABLES = {
  words: { table: 'searchTerms', key: 'term' },
  tagNames: { table: 'searchTags', key: 'tag' },
} as const
const COUNTS = { name: 'text', videoCount: 'integer', publicCount: 'integer' } as const
const TAG_COUNTS = { ...COUNTS, plainName: 'text' } as const
const KINDS = ['words', 'tagNames'] as const satisfies CountedKind[]

export function createTally() {
  const counts = { words: new Map<string, Counts>(), tagNames: new Map<string, Counts>() }
  return {
    counts,
    add(video: Counted, by: 1 | -1): void {
      for (const kind of KINDS) {
        for (const name of video[kind]) {
          const known = counts[kind].get(name) ?? { videoCount: 0, publicCount: 0 }
          known.videoCount += by
          if (video.visibility === 'public') known.publicCount += by
          counts[kind].set(name, known)
        }
      }
    },
  }
}

/** None of the videos may be counted. */
export async function insertCounted(
  db: DatabaseTransaction,
  videos: IndexedVideo[],
): Promise<void> {
  const rows = videos.map((video) => ({ videoId: video.id, ...toRow(video) }))
  const columns = { videoId: 'integer', words: 'text', tags: 'text', visibility: 'text' } as const
  await sql`
    INSERT INTO "searchedVideos" ("videoId", "words", "tags", "visibility")
    SELECT "videoId", "words", "tags", "visibility"
    FROM ${searchEngineOf(db).tableOf(rows, columns)} AS "counted"`.execute(db)
}

export function toRow({ words, tagNames, visibility }: Counted) {
  return { words: words.join(' '), tags: JSON.stringify(tagNames), visibility }
}

function fromRow(row: ReturnType<typeof toRow>): Counted {
  return {
    words: row.words.split(' ').filter((word) => word !== ''),
    tagNames: JSON.parse(row.tags) as string[],
    visibility: row.visibility,
  }
}

export async function deleteCounted(
  db: DatabaseTransaction,
  ids: number[],
): Promise<{ ids: number[]; counted: Counted[] }> {
  const known = await db
    .selectFrom('searchedVideos')
    .selectAll()
    .where('videoId', 'in', listOf(ids))
    .execute()
  const found = known.map(({ videoId }) => videoId)
  await db.deleteFrom('searchedVideos').where('videoId', 'in', listOf(found)).execute()
  return { ids: found, counted: known.map(fromRow) }
}

export async function addToCounts(db: DatabaseTransaction, { counts }: Tally): Promise<void> {
  for (const kind of KINDS) {
    const [table, key] = [sql.table(TABLES[kind].table), sql.id(TABLES[kind].key)]
    const tallied = [...counts[kind]].map(([name, count]) => ({ name, ...count }))
    const isTags = kind === 'tagNames'
    // Plain tag names always: older versions may have omitted them.
    const changes = tallied.filter((one) => isTags || one.videoCount !== 0 || one.publicCount !== 0)
    if (changes.length === 0) continue
    const engine = searchEngineOf(db)
    const changed = isTags
      ? engine.tableOf(changes.map(withPlainName), TAG_COUNTS)
      : engine.tableOf(changes, COUNTS)
    await sql`
      INSERT INTO ${table} (${key}, "videoCount", "publicCount"${isTags ? sql`, "plainName"` : sql``})
      SELECT "name", "videoCount", "publicCount"${isTags ? sql`, "plainName"` : sql``}
      FROM ${changed} AS "changed" WHERE TRUE
      ON CONFLICT (${key}) DO UPDATE SET
        "videoCount" = ${table}."videoCount" + "excluded"."videoCount",
        "publicCount" = ${table}."publicCount" + "excluded"."publicCount"
        ${isTags ? sql`, "plainName" = "excluded"."plainName"` : sql``}`.execute(db)
    const fewer = changes.filter(({ videoCount }) => videoCount < 0).map(({ name }) => name)
    await sql`DELETE FROM ${table} WHERE ${key} IN ${listOfTexts(fewer)} AND "videoCount" <= 0`.execute(
      db,
    )
  }
}

const withPlainName = (tag: Counts & { name: string }) => ({
  ...tag,
  plainName: toPlainName(tag.name),
})

export async function isStored(
  db: DatabaseTransaction,
  { tally: { counts }, count }: { tally: Tally; count: number },
): Promise<boolean> {
  const known = await db.selectFrom('searchedVideos').select('videoId').execute()
  if (known.length !== count) return false
  for (const kind of KINDS) {
    const [table, key] = [sql.table(TABLES[kind].table), sql.id(TABLES[kind].key)]
    const { rows } = await sql<Counts & { name: string }>`
      SELECT ${key} AS "name", "videoCount", "publicCount" FROM ${table}`.execute(db)
    const isSame = ({ name, videoCount, publicCount }: (typeof rows)[number]) => {
      const found = counts[kind].get(name)
      return found?.videoCount === videoCount && found.publicCount === publicCount
    }
    if (rows.length !== counts[kind].size || !rows.every(isSame)) return false
  }
  return true
}
