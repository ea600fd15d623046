import { openDatabaseToRead } from '#server/platform/db/open.ts'

const WORDS_MAX = 500
const PLAIN = /^[a-z]{3,}$/
/** Of shorter words a swap is too often another word. */
const TYPO_LENGTH_MIN = 5

/** Shares of the videos that have a word. */
const RARE = { above: 0, upTo: 0.002 }
const MIDDLING = { above: 0.002, upTo: 0.03 }
const COMMON = { above: 0.05, upTo: 1 }

/** Words that the videos of a site have, by how many have them, and what people make of them while they type. */
export async function readSearchWords(dataFolder: string) {
  const db = openDatabaseToRead(dataFolder)
  const rows = await db.selectFrom('searchTerms').select(['term', 'videoCount']).execute()
  const { count } = await db
    .selectFrom('videos')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await db.destroy()
  const known = new Set(rows.map(({ term }) => term))
  const words = rows.filter(({ term }) => PLAIN.test(term))
  const withShare = ({ above, upTo }: typeof RARE) =>
    words
      .filter(({ videoCount }) => videoCount > above * count && videoCount <= upTo * count)
      .map(({ term }) => term)
  const [middling, common] = [withShare(MIDDLING), withShare(COMMON)]
  const begins = (length: number) => words.map(({ term }) => term.slice(0, length))
  const typos = [...common, ...middling]
    .filter((word) => word.length >= TYPO_LENGTH_MIN)
    .flatMap((word) => swaps(word).filter((typo) => !known.has(typo)))
  const lists = {
    ...{ rare: withShare(RARE), middling, common },
    ...{ threeLetters: begins(3), twoLetters: begins(2), typos },
  }
  return Object.fromEntries(
    Object.entries(lists).map(([kind, list]) => [kind, choose(kind, list)]),
  ) as Record<keyof typeof lists, string[]>
}

function swaps(word: string): string[] {
  return Array.from({ length: word.length - 2 }, (_, index) => {
    const [before, first, second] = [word.slice(0, index + 1), word[index + 1], word[index + 2]]
    return `${before}${second ?? ''}${first}${word.slice(index + 3)}`
  })
}

/** Each once, and of many those at even distances. */
function choose(kind: string, list: string[]): string[] {
  const all = [...new Set(list)]
  if (all.length === 0) throw new Error(`The seeded site has no words for searches: ${kind}.`)
  const step = Math.max(1, all.length / WORDS_MAX)
  return Array.from({ length: Math.min(WORDS_MAX, all.length) }, (_, index) =>
    String(all[Math.floor(index * step)]),
  )
}

/** More rounds than any server answers of one list within the second for which answers are cached. */
const ROUNDS = 200

/** One word after the other. In each round more blanks follow it, which mean nothing, so that no answer of a round before is cached. */
export function inTurn(words: string[], turn: number): string {
  const round = Math.floor(turn / words.length) % ROUNDS
  return `${words[turn % words.length] ?? ''}${' '.repeat(round)}`
}
