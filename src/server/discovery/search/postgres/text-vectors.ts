import { FOR_MEMBERS, type IndexedVideo, spellCategory } from '../indexed-video.ts'
import type { Match, Tier } from '../search-engine.ts'
import { indexWords } from '../text/words.ts'

/**
 * What the index has of a video: for each tier a `tsvector` of its words, each tier having what the one before has, and of
 * its signs, whose places say which follow each other. PostgreSQL splits and changes none of them: they are made here, as
 * they are for SQLite.
 */
export type VideoVectors = { id: number } & Record<Tier, string>

/** Of longer words the rest is left out: PostgreSQL takes 2,046 bytes, and nobody types as much. */
const LETTERS_MAX = 200
/** No word has one of these, so that no text looks like a sign, a category or a level. */
const [SIGN, MARK] = ['+', '#']

/** @returns texts that are read as a `tsvector` */
export function toVectors(video: IndexedVideo): VideoVectors {
  const { id, title, tags, channel, words } = video
  const marks = video.category.split(' ').map((mark) => MARK + mark)
  const titleSigns = splitSigns(video.titleSigns)
  const signs = splitSigns(video.signs)
  const names = [...new Set([...title, ...tags, ...channel])]
  return {
    id,
    title: toVector([...title, ...marks], [titleSigns]),
    names: toVector([...names, ...marks], [titleSigns, signs]),
    text: toVector([...words, ...marks], [titleSigns, signs]),
  }
}

/** The names of a channel, as a text that is read as a `tsvector`. */
export function toNamesVector(names: { displayName: string; username: string }): string {
  return toVector(indexWords([names.displayName, names.username].join('\n')), [])
}

/** @param runs of signs, none of which follows one of another run */
function toVector(words: string[], runs: string[][]): string {
  const places = new Map<string, number[]>()
  let place = 0
  for (const run of runs) {
    for (const sign of run) places.set(sign, [...(places.get(sign) ?? []), ++place])
    place += 1
  }
  return [
    ...words.map(quote),
    ...[...places].map(([sign, found]) => `${quote(sign)}:${found.join(',')}`),
  ].join(' ')
}

const splitSigns = (spelled: string) =>
  spelled.split(' ').flatMap((sign) => (sign === '' ? [] : [SIGN + sign]))

const quote = (lexeme: string) => `'${lexeme.slice(0, LETTERS_MAX).replaceAll(/['\\]/g, '$&$&')}'`

/** A match as a text that is read as a `tsquery`. */
export function toTextQuery({ alternatives, signs, category, whole }: Omit<Match, 'tier'>): string {
  const toTerm = (word: string) => (whole ? quote(word) : `${quote(word)}:*`)
  return [
    ...alternatives.map((words) => `(${words.map(toTerm).join(' | ')})`),
    ...signs.map((run) => `(${splitSigns(run).map(quote).join(' <-> ')})`),
    ...(category ? [quote(MARK + spellCategory(category))] : []),
  ].join(' & ')
}

/** What of a query everybody finds. */
export function exceptForMembers(query: string): string {
  return `(${query}) & !${quote(MARK + FOR_MEMBERS)}`
}
