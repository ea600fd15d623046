import type { FastifyRequest } from 'fastify'
import { userAgentOf } from '#server/platform/context.ts'
import type { Database } from '#server/platform/db/database.ts'
import { clientNetwork, rangeOf } from '#server/platform/request/client-address.ts'
import { type NotedUse, updateLastUsed } from './last-use.queries.ts'

/** How exact the time of the last use is. */
const STEP_MS = 10 * 60_000
const WAIT_MS = 500

type Used = { kind: 'session'; id: string } | { kind: 'token'; id: number }

export type LastUses = ReturnType<typeof createLastUses>

/**
 * Remembers when and from where sessions and API tokens were used last. Requests do not wait for the
 * write, which is one for all uses within half a second; a use that is lost in a crash does no harm.
 */
export function createLastUses(db: Database) {
  const waiting = new Map<string, NotedUse>()

  async function write(): Promise<void> {
    // In the same order on all nodes, which could otherwise wait for each other.
    const uses = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use)
    waiting.clear()
    // A closed database ends the process anyway, and the next use is noted again.
    await updateLastUsed(db, uses).catch(() => {})
  }

  return {
    note(request: FastifyRequest, used: Used, lastUsedAt: string | null): void {
      const age = Date.now() - Date.parse(lastUsedAt ?? '1970-01-01')
      // The clock may be set back.
      if (age >= 0 && age < STEP_MS) return
      const address = rangeOf(clientNetwork(request))
      if (waiting.size === 0) setTimeout(() => void write(), WAIT_MS).unref()
      const use: NotedUse =
        used.kind === 'session'
          ? { ...used, address }
          : { ...used, address, userAgent: userAgentOf(request) }
      waiting.set(`${used.kind} ${used.id}`, use)
    },
  }
}
