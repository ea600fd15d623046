import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: a text as a filter box compares it, without case and accents. Plain ones, which most are, never
 * leave SQLite: folding 20,000 titles in JavaScript would hold everybody up.
 */
export function foldedText(text: RawBuilder<string>): RawBuilder<string> {
  return sql`iif(${text} GLOB '*[^ -~]*', foldText(${text}), lower(${text}))`
}
