import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { clusterOf } from '#server/platform/cluster/cluster.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { leavesRoom, listKnownMigrations, NEWER_VERSION } from '#server/platform/db/migrate.ts'
import { findNeededMigration } from '#server/platform/db/needed-migration.ts'
import { deleteGoneNodes, deleteNode, upsertNode } from '#server/platform/db/node.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { readVersion } from '../release/running-version.ts'

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    presence: Presence
  }
}

/** Announces this process to the other nodes. */
export type Presence = {
  /** Why this version may no longer use the database. */
  problem: () => string | undefined
  /**
   * Announces readiness too, from the next renewal.
   * @param findProblem null when ready
   */
  watch: (findProblem: () => Promise<string | null>) => void
  /** Does not wait for the database. */
  drain: () => Promise<void>
  /** Without the database the row expires. */
  leave: () => Promise<void>
}

type Input = {
  db: Database
  config: Pick<Config, 'port'>
  log: { warn: (details: object, message: string) => void }
  /** 5 s by default. */
  renewMs?: number
}

const RENEW_MS = 5000
const LEAVE_MS = 1000
/** An unresponsive disk must not delay the renewal. */
const CHECK_MS = 2000

const NOT_KNOWN = 'What this node needs for its work does not answer.'

export const SINGLE_PROCESS: Presence = {
  problem: () => undefined,
  watch: () => {},
  drain: async () => {},
  leave: async () => {},
}

/**
 * Checks with each renewal that no newer version has changed the database incompatibly.
 * @throws `conflict` when one already has
 */
export async function startPresence({
  db,
  config,
  log,
  renewMs = RENEW_MS,
}: Input): Promise<Presence> {
  const { nodeId } = clusterOf(db)
  if (nodeId === null) return SINGLE_PROCESS
  // An update may replace the program's files.
  const known = await listKnownMigrations(db)
  const node = { id: nodeId, name: `${hostname()}:${config.port}`, version: await readVersion() }
  let startedAt: string | undefined
  let isDraining = false
  let problem: string | undefined
  let findUnreadiness: () => Promise<string | null> = async () => null

  async function renew(): Promise<void> {
    const late = pause(CHECK_MS, NOT_KNOWN, { ref: false })
    const unreadiness = await Promise.race([findUnreadiness().catch(() => NOT_KNOWN), late])
    startedAt = await upsertNode(db, { ...node, startedAt, isDraining, problem: unreadiness })
    await deleteGoneNodes(db)
    if (problem !== undefined || leavesRoom(await findNeededMigration(db), known)) return
    problem = NEWER_VERSION
  }

  await renew()
  if (problem !== undefined) {
    await deleteNode(db, nodeId)
    throw new AppError('conflict', problem)
  }
  let running: Promise<void> = Promise.resolve()
  const renewInTurn = () => {
    running = running.then(async () => {
      const before = problem
      // Readiness reports it; the row is renewed afterwards.
      await renew().catch(() => {})
      if (problem !== before)
        log.warn({ reason: problem }, 'this version may not use the database any more')
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
      const gone = running.then(() => deleteNode(db, nodeId)).catch(() => {})
      await Promise.race([gone, pause(LEAVE_MS, undefined, { ref: false })])
    },
  }
}
