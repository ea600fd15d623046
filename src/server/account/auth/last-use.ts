import type { FastifyRequest } from 'fastify'
import { userAgentOf } from '#server/platform/context.ts'
import type { Database } from '#server/platform/db/database.ts'
import { clientNetwork, rangeOf } from '#server/platform/request/client-address.ts'
import { type NotedUse, updateLastUsed } from './last-use.queries.ts'

/** Minimum time between two writes for the same session or token. */
const STEP_MS = 10 * 60_000
const WAIT_MS = 500

type Used = { kind: 'session'; id: string } | { kind: 'token'; id: number }

export type LastUses = ReturnType<typeof createLastUses>

/**
 * Records when and from where sessions and API tokens were last used. Uses are collected for half a second and
 * written together, and requests do not wait for this. Losing a use in a crash does no harm.
 */
export function createLastUses(db: Database) {
  const waiting = new Map<string, NotedUse>()

  async function write(): Promise<void> {
    // All nodes update rows in the same order, so that they cannot deadlock.
    const uses = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, use]) => use)
    waiting.clear()
    // Errors are ignored: the next use is recorded again.
    await updateLastUsed(db, uses).catch(() => {})
  }

  return {
    note(request: FastifyRequest, used: Used, lastUsedAt: string | null): void {
      const age = Date.now() - Date.parse(lastUsedAt ?? '1970-01-01')
      // `age` is negative if the clock was set back.
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
