import { randomBytes } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { CHANNEL, createPostgresBus } from './postgres-bus.ts'
import { createPostgresCounters } from './postgres-counters.ts'
import { createPostgresLocks } from './postgres-locks.ts'
import { createLastingSession, type SessionClient } from './postgres-session.ts'
import { createPostgresStopwatches } from './postgres-stopwatches.ts'

type Input = {
  /** To the server, or a pooler that keeps sessions. */
  createClient: (onNotification: (payload: string | undefined) => void) => SessionClient
  isAway: (error: unknown) => boolean
}

/** Connects on first use. */
export function createPostgresCluster({ createClient, isAway }: Input): Cluster & {
  close: () => Promise<void>
} {
  const nodeId = randomBytes(8).toString('hex')
  const session = createLastingSession(
    () => createClient((payload) => bus.receive(payload)),
    ({ query }) => query(`LISTEN ${CHANNEL}`),
  )
  const bus = createPostgresBus(session, nodeId)
  return {
    nodeId,
    bus,
    locks: createPostgresLocks(session, isAway),
    counters: createPostgresCounters(),
    stopwatches: createPostgresStopwatches(),
    close: session.close,
  }
}
