/** A piece of raw SQL in a source file: its text, with `${…}` left out as a space, and where it begins. */
export type RawSql = { text: string; at: number }

const TAG = /\bsql(?:<|`)/g
const WORD = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[A-Za-z_]\w*/g
/** Of one engine, where there is a word that all have. */
const REPLACED = /\b(?:ifnull|iif|isnull|total|group_concat)\(/gi
/** What engines have different words for. */
const DIALECT =
  /\b(?:json_\w+|unixepoch|julianday|strftime|datetime|instr|total_changes|foldText)\(|\b(?:INDEXED BY|GLOB|COLLATE|INSERT OR|REPLACE INTO|PRAGMA|VIRTUAL)\b|->>?/g
/** Their words are the engine's, not ours. */
const COMMANDS = /^\s*(?:PRAGMA|CREATE VIRTUAL TABLE)\b/

/** The templates tagged `sql`, those inside others too. */
export function findRawSql(source: string): RawSql[] {
  const found: RawSql[] = []
  for (const match of source.matchAll(TAG)) {
    const at = source.indexOf('`', skipGeneric(source, match.index + 'sql'.length))
    found.push({ text: readTemplate(source, at + 1), at: at + 1 })
  }
  return found
}

/** Words in lower or mixed case that are neither quoted nor the name of a function, or of a type after `::`. */
export function listUnquoted({ text: written }: RawSql): string[] {
  if (COMMANDS.test(written)) return []
  const text = written.replaceAll(/::\w+/g, '')
  return [...text.matchAll(WORD)]
    .filter(({ 0: word, index }) => {
      if (!/^[A-Za-z_]/.test(word) || word === word.toUpperCase()) return false
      return text[index + word.length] !== '('
    })
    .map(([word]) => word)
}

/** Functions of one engine for which all have another. */
export function listReplaced({ text }: RawSql): string[] {
  return text.match(REPLACED) ?? []
}

/** What would have to be said otherwise to another engine. */
export function listDialect({ text }: RawSql): string[] {
  return text.match(DIALECT) ?? []
}

/** Subqueries in FROM without a name, by what follows them: PostgreSQL takes them only since version 16. */
export function listUnnamed({ text }: RawSql): string[] {
  return [...text.matchAll(/\b(?:FROM|JOIN) \(/g)].flatMap(({ 0: begin, index }) => {
    const rest = text.slice(skipParentheses(text, index + begin.length)).trimStart()
    return rest.startsWith('AS "') ? [] : [rest.slice(0, 20)]
  })
}

/** @returns where what is after the closing parenthesis begins */
function skipParentheses(text: string, from: number): number {
  let depth = 1
  let at = from
  for (; depth > 0 && at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
  }
  return at
}

/** @returns where the template begins, after the type of its rows */
function skipGeneric(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === '<') depth++
    // '=>' is no end.
    if (source[at] === '>' && source[at - 1] !== '=') depth--
    if (depth === 0) return at
  }
  return from
}

function readTemplate(source: string, from: number): string {
  let text = ''
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') text += `${source[at++]}${source[at]}`
    else if (source[at] === '`') return text
    else if (source.startsWith('${', at)) {
      const end = skipHole(source, at + 2)
      text += ' '.repeat(end + 1 - at)
      at = end
    } else text += source[at]
  }
  return text
}

/** @returns where the brace is that ends it */
function skipHole(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === "'") at = source.indexOf("'", at + 1)
    else if (source[at] === '`') at += 1 + readTemplate(source, at + 1).length
    else if (source[at] === '{') depth++
    else if (source[at] === '}' && depth-- === 0) return at
  }
  return source.length
}
