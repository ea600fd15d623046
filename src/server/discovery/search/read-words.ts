import type { AudienceIndex, KnownWord } from './search-engine.ts'
import { listSplits, splitNumbered, typoNeighbours } from './search-terms.ts'
import type { QueryWord } from './text/words.ts'

const CORRECTIONS_MAX = 3
/** A correction is tried that has this many times the matches. */
const CORRECTION_RATIO = 10
/** Shorter corrections begin too many words. */
const BEGUN_TYPO_MIN = 5

export type ReadWord = {
  /**
   * The word if videos have it or one that it begins, else its corrections, most frequent first.
   */
  readings: string[]
  /** Far more frequent words that it may be a mistake for. */
  likelier: string[]
  /** Two words written as one, without another reading or with a number. */
  parts: [string, string] | undefined
  /** Two words written as one, beside another reading. */
  split: [string, string] | undefined
  /** Words that join it with a neighbour. */
  joined: string[]
  videoCount: number
  /** Count of the most frequent word that it begins. */
  most: number
}

export async function readWords(index: AudienceIndex, words: QueryWord[]): Promise<ReadWord[]> {
  const joined = [...new Set(words.flatMap((word) => word.joined))]
  // Most do not exist, and would cost a lookup per tier.
  const known = new Set(joined.length > 0 ? await index.listBegun(joined) : [])
  const read = words.map(({ word, joined }) =>
    readWord(index, { word, joined: joined.filter((name) => known.has(name)) }),
  )
  return Promise.all(read)
}

/**
 * A video must have one word of each list; a split word makes two lists.
 * @param options.correctionsMax per mistyped word
 */
export function toAlternatives(
  words: ReadWord[],
  { withLikelier = false, withSplits = false, correctionsMax = CORRECTIONS_MAX } = {},
): string[][] {
  return words.flatMap(({ readings, likelier, parts, split, joined }) => {
    const more = withLikelier ? likelier.slice(0, correctionsMax) : []
    const all = [...readings.slice(0, correctionsMax), ...more, ...joined]
    const asked = withSplits ? (parts ?? split) : parts
    return asked ? asked.map((part) => [...all, part]) : [all]
  })
}

async function readWord(index: AudienceIndex, { word, joined }: QueryWord): Promise<ReadWord> {
  const { isWord, videoCount, most } = await index.countWord(word)
  const numbered = splitNumbered(word)
  const splits = listSplits(word, { isKnown: videoCount > 0 })
  const others = () => [...(isWord ? [] : typoNeighbours(word)), ...splits.flat()]
  const isAlone = isWord && splits.length === 0
  const known = isAlone ? [] : await index.listKnown(word, others)
  const split = numbered ? undefined : findParts(splits, known)
  const asWritten = {
    readings: [word],
    likelier: [],
    parts: numbered,
    split,
    joined,
    videoCount,
    most,
  }
  if (isWord) return asWritten
  const typos = known.filter(({ term }) => isTypo(term, word))
  if (videoCount > 0) {
    const more = typos.filter((other) => other.videoCount >= CORRECTION_RATIO * videoCount)
    return { ...asWritten, likelier: termsOf(more) }
  }
  const readings = typos.length > 0 || numbered || split ? typos : await listBegunTypos(index, word)
  const [first] = readings
  // The index may split or fold rare scripts otherwise.
  if (!first) return { ...asWritten, parts: numbered ?? split, split: undefined }
  const count = first.videoCount
  return { ...asWritten, readings: termsOf(readings), videoCount: count, most: count }
}

/** Corrections that begin a word, most frequent first: `wizrd` for `wizard93`. */
async function listBegunTypos(index: AudienceIndex, word: string): Promise<KnownWord[]> {
  const long = typoNeighbours(word).filter((typo) => [...typo].length >= BEGUN_TYPO_MIN)
  const begun = long.length > 0 ? await index.listBegun(long) : []
  const counted = begun.map(async (term) => {
    const { videoCount } = await index.countWord(term)
    return { term, videoCount }
  })
  return (await Promise.all(counted)).sort(
    (a, b) => b.videoCount - a.videoCount || (a.term < b.term ? -1 : 1),
  )
}

/** Parts of a split are shorter. */
const isTypo = (term: string, word: string) => [...term].length >= [...word].length - 1

/** The split whose rarer part is most frequent. */
function findParts(splits: [string, string][], known: KnownWord[]): [string, string] | undefined {
  const counts = new Map(known.map(({ term, videoCount }) => [term, videoCount]))
  const countOf = ([first, second]: [string, string]) =>
    Math.min(counts.get(first) ?? 0, counts.get(second) ?? 0)
  const [best] = splits.toSorted((one, other) => countOf(other) - countOf(one))
  return best && countOf(best) > 0 ? best : undefined
}

const termsOf = (known: KnownWord[]) => known.map(({ term }) => term)
