/** What a statement reads, by its words: rather too much than too little. */

const WORD = /[A-Za-z_]\w*/g
/** They change with every view and rating; what shows them depends on the videos shown alone. */
const COUNTS = ['viewCount', 'likeCount', 'dislikeCount']
/** They change with every file, and nothing but the desks shows them. */
const BYTES = ['storageBytes', 'listedBytes']
const VIDEOS = 'videos'
/** Stands for the counts of all videos. */
export const ALL_COUNTS = 'videos counts'
/** Stands for the bytes of all videos and members. */
export const ALL_BYTES = 'bytes'
const ROWS_WITH_ID = 'select "videos"."id", '
const FROM_VIDEOS = ' from "videos"'

export type StatementReads = {
  tables: string[]
  /** Its rows show the counts of the videos whose `id` they have, and depend on no others. */
  countsById: boolean
  /** It reads what cannot be followed, such as a full-text index. */
  unknown: boolean
}

/**
 * @param tables those that are followed
 * @param others those that are not, such as full-text indexes
 */
export function createStatementReader(tables: string[], others: string[]) {
  const followed = new Set(tables)
  const notFollowed = new Set(others)
  const known = new Map<string, StatementReads>()
  return (source: string): StatementReads => {
    const before = known.get(source)
    if (before) return before
    const words = new Set(source.match(WORD))
    const reads = [...words].filter((word) => followed.has(word))
    const showsCounts = words.has(VIDEOS) && COUNTS.some((column) => words.has(column))
    const countsById = showsCounts && isCountedById(source)
    if (showsCounts && !countsById) reads.push(ALL_COUNTS)
    if (BYTES.some((column) => words.has(column)) || words.has('storageTotals'))
      reads.push(ALL_BYTES)
    const unknown = [...words].some((word) => notFollowed.has(word))
    const found = { tables: reads, countsById, unknown }
    known.set(source, found)
    return found
  }
}

/** Rows of videos as the query builder writes them, found and sorted by anything but their counts. */
function isCountedById(source: string): boolean {
  const from = source.indexOf(FROM_VIDEOS)
  if (!source.startsWith(ROWS_WITH_ID) || from < 0) return false
  const rest = source.slice(from)
  const isSingle = source.slice(0, from).split('"id"').length === 2
  return isSingle && !COUNTS.some((column) => rest.includes(column))
}

/** A column's part in what changes: null for what belongs to its table. */
export function partOf(table: string, column: string): string | null {
  if (table === VIDEOS && COUNTS.includes(column)) return ALL_COUNTS
  return BYTES.includes(column) ? ALL_BYTES : null
}
