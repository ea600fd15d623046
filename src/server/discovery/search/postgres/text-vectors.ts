import { FOR_MEMBERS, type IndexedVideo, spellCategory } from '../indexed-video.ts'
import type { Match, Tier } from '../search-engine.ts'
import { indexWords } from '../text/words.ts'

/**
 * A `tsvector` per tier, each containing the one before. Signs have positions, to match runs. Words
 * are made here, as for SQLite.
 */
export type VideoVectors = { id: number } & Record<Tier, string>

/** PostgreSQL's limit is 2,046 bytes; the rest is cut. */
const LETTERS_MAX = 200
/** No word contains these. */
const [SIGN, MARK] = ['+', '#']

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

export function toNamesVector(names: { displayName: string; username: string }): string {
  return toVector(indexWords([names.displayName, names.username].join('\n')), [])
}

/** @param runs signs of one run are adjacent */
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

export function toTextQuery({ alternatives, signs, category, whole }: Omit<Match, 'tier'>): string {
  const toTerm = (word: string) => (whole ? quote(word) : `${quote(word)}:*`)
  return [
    ...alternatives.map((words) => `(${words.map(toTerm).join(' | ')})`),
    ...signs.map((run) => `(${splitSigns(run).map(quote).join(' <-> ')})`),
    ...(category ? [quote(MARK + spellCategory(category))] : []),
  ].join(' & ')
}

export function exceptForMembers(query: string): string {
  return `(${query}) & !${quote(MARK + FOR_MEMBERS)}`
}
