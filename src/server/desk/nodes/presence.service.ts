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

/** How this process is known to the others on its database. */
export type Presence = {
  /** Why this version may not go on with the database, as a sentence; undefined while it may. */
  problem: () => string | undefined
  /**
   * Has the others know, too, whether it is ready, from its next word on.
   * @param findProblem answers what is wrong, in sentences; null when nothing is
   */
  watch: (findProblem: () => Promise<string | null>) => void
  /** Says that it is about to leave. It does not wait for a database that is away. */
  drain: () => Promise<void>
  /** Says that it is gone, unless the database is away: then others find that out. */
  leave: () => Promise<void>
}

type Input = {
  db: Database
  config: Pick<Config, 'port'>
  log: { warn: (details: object, message: string) => void }
  /** Between two words of it; 5 s by default. */
  renewMs?: number
}

const RENEW_MS = 5000
const LEAVE_MS = 1000
/** A disk that does not answer must not keep a node from saying that it is there. */
const LOOK_MS = 2000

const NOT_KNOWN = 'What this node needs for its work does not answer.'

/** The presence of a process that has its database to itself. */
export const SINGLE_PROCESS: Presence = {
  problem: () => undefined,
  watch: () => {},
  drain: async () => {},
  leave: async () => {},
}

/**
 * Has the others see this process, from now on every 5 s; and looks, as often, whether a newer version changed the
 * database so that this one may not go on.
 * @throws AppError `conflict` when that has happened already
 */
export async function startPresence({
  db,
  config,
  log,
  renewMs = RENEW_MS,
}: Input): Promise<Presence> {
  const { nodeId } = clusterOf(db)
  if (nodeId === null) return SINGLE_PROCESS
  // Before an update puts others into the program's folder.
  const known = await listKnownMigrations(db)
  const node = { id: nodeId, name: `${hostname()}:${config.port}`, version: await readVersion() }
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
    await deleteNode(db, nodeId)
    throw new AppError('conflict', problem)
  }
  let running: Promise<void> = Promise.resolve()
  const renewInTurn = () => {
    running = running.then(async () => {
      const before = problem
      // Of a database that is away others tell; the row is back with it.
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
      const gone = running.then(() => deleteNode(db, nodeId)).catch(() => {})
      await Promise.race([gone, pause(LEAVE_MS, undefined, { ref: false })])
    },
  }
}
