import type { Database } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { createSearchThread } from './fts5/search-thread.ts'
import { createDirectSearcher } from './postgres/direct-searcher.ts'

export type Searcher = ReturnType<typeof createSearchThread>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    searcher: Searcher
  }
}

export function createSearcher({ db, dataFolder }: { db: Database; dataFolder: string }): Searcher {
  return engineOf(db).name === 'sqlite'
    ? createSearchThread({ dataFolder })
    : createDirectSearcher(db)
}
