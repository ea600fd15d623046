import { fts5Engine } from './fts5/fts5-engine.ts'
import type { Connection, SearchEngine } from './search-engine.ts'

/** The engine that searches a database. */
export function searchEngineOf(_db: Connection): SearchEngine {
  return fts5Engine
}
