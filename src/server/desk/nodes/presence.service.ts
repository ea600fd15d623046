import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '#server/platform/config.ts'
import {
  type Database,
  leavesRoom,
  listKnownMigrations,
  NEWER_VERSION,
} from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'
import { findNeededMigration } from '#server/platform/db/needed-migration.ts'
import { AppError } from '#server/platform/errors.ts'
import { deleteGoneNodes, deleteNode, upsertNode } from '#server/platform/nodes/node.queries.ts'
import { readVersion } from '../release/running-version.ts'

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    presence: Presence
  }
}

export type Presence = {
  /** Reason to stop after a migration to a newer version. */
  problem: () => string | undefined
  watch: (findProblem: () => Promise<string | null>) => void
  /** Does not wait for an unreachable database. */
  drain: () => Promise<void>
  /** Removes the node, unless the database is unreachable; others notice by silence. */
  leave: () => Promise<void>
}

type Input = {
  db: Database
  config: Pick<Config, 'port'>
  log: { warn: (details: object, message: string) => void }
  /** Heartbeat; 5 s by default. */
  renewMs?: number
}

const RENEW_MS = 5000
const LEAVE_MS = 1000
/** A hanging disk must not stop the heartbeat. */
const LOOK_MS = 2000

const NOT_KNOWN = 'What this node needs for its work does not answer.'

/** For a single process. */
export const ALONE: Presence = {
  problem: () => undefined,
  watch: () => {},
  drain: async () => {},
  leave: async () => {},
}

/**
 * Sends heartbeats, and checks for migrations of newer versions.
 * @throws AppError `conflict` if that has happened
 */
export async function startPresence({
  db,
  config,
  log,
  renewMs = RENEW_MS,
}: Input): Promise<Presence> {
  const { self } = lineOf(db)
  if (self === null) return ALONE
  // Before an update replaces the program's files.
  const known = await listKnownMigrations(db)
  const node = { id: self, name: `${hostname()}:${config.port}`, version: await readVersion() }
  let startedAt: string | undefined
  let isDraining = false
  let problem: string | undefined
  let findUnreadiness: () => Promise<string | null> = async () => null

  async function renew(): Promise<void> {
    const late = pause(LOOK_MS, NOT_KNOWN, { ref: false })
    const unreadiness = await Promise.race([findUnreadiness().catch(() => NOT_KNOWN), late])
    startedAt = await upsertNode(db, { ...node, startedAt, isDraining, problem: unreadiness })
    await deleteGoneNodes(db)
    if (problem !== undefined || leavesRoom(await findNeededMigration(db), known)) return
    problem = NEWER_VERSION
  }

  await renew()
  if (problem !== undefined) {
    await deleteNode(db, self)
    throw new AppError('conflict', problem)
  }
  let running: Promise<void> = Promise.resolve()
  const renewInTurn = () => {
    running = running.then(async () => {
      const before = problem
      // A database failure is reported elsewhere; the row returns with it.
      await renew().catch(() => {})
      if (problem !== before) log.warn({ reason: problem }, 'this node may not go on')
    })
    return running
  }
  const timer = setInterval(renewInTurn, renewMs)
  return {
    problem: () => problem,
    watch(findProblem) {
      findUnreadiness = findProblem
    },
    async drain() {
      isDraining = true
      await renewInTurn()
    },
    async leave() {
      clearInterval(timer)
      const gone = running.then(() => deleteNode(db, self)).catch(() => {})
      await Promise.race([gone, pause(LEAVE_MS, undefined, { ref: false })])
    },
  }
}
