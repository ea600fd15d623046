import type { QueryExecutorProvider } from 'kysely'
import { LRUCache } from 'lru-cache'
import { clusterOf } from './cluster.ts'

const REMEMBERED_MAX = 1000

export type ChangeTimes = {
  /** @returns undefined with several nodes, whose times would differ */
  since: (key: string, value: string) => Date | undefined
}

export function createChangeTimes(db: QueryExecutorProvider): ChangeTimes {
  if (clusterOf(db).nodeId !== null) return { since: () => undefined }
  const known = new LRUCache<string, { value: string; since: Date }>({ max: REMEMBERED_MAX })
  return {
    since(key, value) {
      const before = known.get(key)
      if (before?.value === value) return before.since
      const since = new Date()
      known.set(key, { value, since })
      return since
    },
  }
}
