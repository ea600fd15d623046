import { createSearchThread } from './fts5/search-thread.ts'

/** Answers searches beside the server's other work. */
export type Searcher = ReturnType<typeof createSearchThread>

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    searcher: Searcher
  }
}

export function createSearcher(site: { dataFolder: string }): Searcher {
  return createSearchThread(site)
}
