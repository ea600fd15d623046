import { FOR_MEMBERS, spellCategory } from '../indexed-video.ts'
import type { Match, Tier } from '../search-engine.ts'
import { spellWords } from './spelled-words.ts'

const COLUMNS: Record<Tier, { words: string; signs: string }> = {
  title: { words: 'title', signs: 'titleSigns' },
  names: { words: 'title tags channel', signs: 'titleSigns signs' },
  text: { words: 'title tags description channel', signs: 'titleSigns signs' },
}

export function matchExpression(...matches: Match[]): string {
  const [first = '', ...more] = matches.map(expressionOf)
  return more.length === 0 ? first : [first, ...more].map((one) => `(${one})`).join(' OR ')
}

function expressionOf({ alternatives, signs, category, tier, whole }: Match): string {
  const columns = COLUMNS[tier]
  const star = whole ? '' : '*'
  const words = alternatives.map((words) => eitherOf(words, star))
  const runs = signs.map((run) => `"${run}"`)
  return [
    words.length > 0 ? `{${columns.words}} : (${words.join(' AND ')})` : '',
    runs.length > 0 ? `{${columns.signs}} : (${runs.join(' AND ')})` : '',
    category ? `category : "${spellCategory(category)}"` : '',
  ]
    .filter((part) => part !== '')
    .join(' AND ')
}

/** @param star `*` for prefixes */
export function eitherOf(words: string[], star: '' | '*'): string {
  return `(${words.map((word) => `"${spellWords([word])}"${star}`).join(' OR ')})`
}

export const MATCH_FOR_MEMBERS = `category : "${FOR_MEMBERS}"`

/** Twice as slow as the query alone. */
export function exceptForMembers(expression: string): string {
  return `(${expression}) NOT ${MATCH_FOR_MEMBERS}`
}
