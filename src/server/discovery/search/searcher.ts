import type { Database } from '#server/platform/db/database.ts'
import { isDatabaseFile } from '#server/platform/db/maintain.ts'
import { createSearchThread } from './fts5/search-thread.ts'
import { createDirectSearcher } from './postgres/direct-searcher.ts'

export type Searcher = ReturnType<typeof createSearchThread>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    searcher: Searcher
  }
}

export function createSearcher({ db, dataFolder }: { db: Database; dataFolder: string }): Searcher {
  return isDatabaseFile(db) ? createSearchThread({ dataFolder }) : createDirectSearcher(db)
}
