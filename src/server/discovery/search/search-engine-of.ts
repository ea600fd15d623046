import { isDatabaseFile } from '#server/platform/db/maintain.ts'
import { fts5Engine } from './fts5/fts5-engine.ts'
import { postgresEngine } from './postgres/postgres-engine.ts'
import type { Connection, SearchEngine } from './search-engine.ts'

export function searchEngineOf(db: Connection): SearchEngine {
  return isDatabaseFile(db) ? fts5Engine : postgresEngine
}
