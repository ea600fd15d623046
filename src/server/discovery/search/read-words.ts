import type { FoundIndex, KnownWord } from './search-engine.ts'
import { listSplits, splitNumbered, typoNeighbours } from './search-terms.ts'
import type { QueryWord } from './text/words.ts'

const CORRECTIONS_MAX = 3
/** When fewer match, words that far more videos have may be meant instead. */
const FAR_MORE = 10

/** What a word of a query stands for. */
export type ReadWord = {
  /** The word itself when any video has it or begins with it, else what it is a typing mistake of, the most frequent first. */
  meant: string[]
  /** What it may stand for besides. */
  perhaps: string[]
  /** The two words that it is made of, for want of another reading or because one is a number. */
  parts: [string, string] | undefined
  /** The two words that it may be made of, while there is another reading. */
  split: [string, string] | undefined
  /** Words that contain it, and the word before it or after it. */
  joined: string[]
  /** How many videos have what is meant, more or less, and at least. */
  videoCount: number
  most: number
}

/** What is meant by words of a query, for whoever is in the index's audience. */
export async function readWords(index: FoundIndex, words: QueryWord[]): Promise<ReadWord[]> {
  const joined = [...new Set(words.flatMap((word) => word.joined))]
  // Most are no words at all, and would be looked for in each tier.
  const known = new Set(joined.length > 0 ? await index.listBegun(joined) : [])
  const read = words.map(({ word, joined }) =>
    readWord(index, { word, joined: joined.filter((name) => known.has(name)) }),
  )
  return Promise.all(read)
}

/**
 * For each word, the words of which a video must have one; a word in two parts asks twice.
 * @param options.correctionsMax of the words that a mistyped one may stand for
 */
export function toAlternatives(
  words: ReadWord[],
  { withPerhaps = false, withSplits = false, correctionsMax = CORRECTIONS_MAX } = {},
): string[][] {
  return words.flatMap(({ meant, perhaps, parts, split, joined }) => {
    const more = withPerhaps ? perhaps.slice(0, correctionsMax) : []
    const all = [...meant.slice(0, correctionsMax), ...more, ...joined]
    const asked = withSplits ? (parts ?? split) : parts
    return asked ? asked.map((part) => [...all, part]) : [all]
  })
}

async function readWord(index: FoundIndex, { word, joined }: QueryWord): Promise<ReadWord> {
  const { isWord, videoCount, most } = await index.countWord(word)
  const numbered = splitNumbered(word)
  const splits = listSplits(word, { isKnown: videoCount > 0 })
  const others = () => [...(isWord ? [] : typoNeighbours(word)), ...splits.flat()]
  const isAlone = isWord && splits.length === 0
  const known = isAlone ? [] : await index.listKnown(word, others)
  const split = numbered ? undefined : findParts(splits, known)
  const itself = { meant: [word], perhaps: [], parts: numbered, split, joined, videoCount, most }
  if (isWord) return itself
  const typos = known.filter(({ term }) => isTypo(term, word))
  if (videoCount > 0) {
    const more = typos.filter((other) => other.videoCount >= FAR_MORE * videoCount)
    return { ...itself, perhaps: termsOf(more) }
  }
  const [first] = typos
  // The index may split or fold a rare script in a way of its own.
  if (!first) return { ...itself, parts: numbered ?? split, split: undefined }
  const count = first.videoCount
  return { ...itself, meant: termsOf(typos), videoCount: count, most: count }
}

/** The parts of a split are shorter. */
const isTypo = (term: string, word: string) => [...term].length >= [...word].length - 1

/** Of the splits into known words that of which the rarer part is the most frequent. */
function findParts(splits: [string, string][], known: KnownWord[]): [string, string] | undefined {
  const counts = new Map(known.map(({ term, videoCount }) => [term, videoCount]))
  const countOf = ([first, second]: [string, string]) =>
    Math.min(counts.get(first) ?? 0, counts.get(second) ?? 0)
  const [best] = splits.toSorted((one, other) => countOf(other) - countOf(one))
  return best && countOf(best) > 0 ? best : undefined
}

const termsOf = (known: KnownWord[]) => known.map(({ term }) => term)
