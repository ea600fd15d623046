import { engineOf } from '#server/platform/db/engine.ts'
import { fts5Engine } from './fts5/fts5-engine.ts'
import { postgresEngine } from './postgres/postgres-engine.ts'
import type { Connection, SearchEngine } from './search-engine.ts'

const ENGINES = { sqlite: fts5Engine, postgres: postgresEngine }

export function searchEngineOf(db: Connection): SearchEngine {
  return ENGINES[engineOf(db).name]
}
