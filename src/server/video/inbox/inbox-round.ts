/** See docs/decisions/0085-inbox.md. */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Database,
  inTransaction,
  timestamp,
  writeQuietly,
} from '#server/platform/db/database.ts'
import { isBusy, isDiskFull, isFailedWrite } from '#server/platform/db/errors.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { MediaInterruptedError, MediaKilledError } from '../processing/media-errors.ts'
import { FileChangedError } from '../upload/local-file.ts'
import { type ExamineDeps, examineFile, isPassing, noteUnreadable } from './examine-file.ts'
import { recordingsCame } from './inbox.events.ts'
import {
  clearProblems,
  findFirstAdmin,
  listKnownFiles,
  listPresentFiles,
  updateMissing,
} from './inbox.queries.ts'
import { type Found, walkFolder } from './inbox-files.ts'
import { countWaiting } from './inbox-list.queries.ts'
import {
  findInboxSettings,
  type RoundStatus,
  type StoredInboxSettings,
  updateInboxSettings,
} from './inbox-settings.queries.ts'

export type RoundDeps = ExamineDeps &
  Pick<AppDeps, 'live'> & { log: { warn: (details: object, message: string) => void } }

/** A file counts as complete after this many equal observations. */
const TIMES_EQUAL = 3
/** Limit of files in memory that may still change. Further files wait for later rounds. */
const SETTLING_MAX = 20_000
const FILES_MAX = 200_000
/** Files are examined for at most this long before the folders are read again. */
const EXAMINING_MS = 20_000
const REST_MS = 5
const TELL_MS = 2000
const CHECKED_AT_A_TIME = 1000

/** A file counts as unreadable after so many failures of the disk or killed examinations. */
const FAILURES_MAX = 3
/** Rounds until a file is examined again that cannot be used and whose row keeps a decision. */
const ROUNDS_BETWEEN = 30
const FULL = 'There is no room left on the server.'

type Observation = { found: Found; times: number; round: number; failures: number }

/** Is kept in memory. A restart only delays items. */
export type Memory = {
  observed: Map<string, Observation>
  round: number
  /** Number of consecutive rounds in which all folders were readable, since the start or a pause. */
  whole: number
}

export const createMemory = (): Memory => ({ observed: new Map(), round: 0, whole: 0 })

/** Returns whether every file is examined. Otherwise a file that is missing may be one of the others. */
export const isUpToDate = ({ observed, whole }: Memory): boolean =>
  whole >= TIMES_EQUAL && observed.size === 0

const keyOf = ({ folder, path }: Pick<Found, 'folder' | 'path'>) => `${folder}\n${path}`

/**
 * Reads all folders once, and examines files that no longer change, newest first.
 * @param memory is changed; pass the same to the next call
 */
export async function runRound(deps: RoundDeps, memory: Memory): Promise<void> {
  const { db, config, closing } = deps
  const settings = await findInboxSettings(db)
  if (settings.isPaused || !(await findFirstAdmin(db))) {
    memory.whole = 0
    return
  }
  memory.round += 1
  const folders: RoundStatus['folders'] = []
  for (const folder of config.inbox.folders) {
    if (closing.aborted) return
    folders.push(await lookAt(deps, { folder, memory }))
  }
  forgetUnseen(memory)
  const save = async (now: { examining: string | null; problem: string | null }) => {
    const all = [...memory.observed.values()]
    const unread = all.filter(({ times }) => times >= TIMES_EQUAL).length
    const status = { lookedAt: timestamp(), folders, settling: all.length - unread, unread, ...now }
    await saveStatus(db, status)
  }
  const onExamine = (examining: string) => save({ examining, problem: null })
  const { problem, came } = await examineSettled(deps, { memory, settings, onExamine })
  await tellOwners(deps, came)
  await save({ examining: null, problem })
  memory.whole = folders.every((one) => one.problem === null) ? memory.whole + 1 : 0
}

async function lookAt(
  deps: RoundDeps,
  { folder, memory }: { folder: string; memory: Memory },
): Promise<RoundStatus['folders'][number]> {
  const unreadable: string[] = []
  const seen = new Set<string>()
  try {
    const walk = walkFolder({ folder, onUnreadable: (path) => unreadable.push(path) })
    for await (const files of walk) {
      for (const { path } of files) seen.add(path)
      await observe(deps.db, { folder, files, memory })
      if (deps.closing.aborted) return { folder, files: seen.size, problem: null }
      if (seen.size >= FILES_MAX) {
        const problem = `There are more than ${FILES_MAX} files; the others are not looked at.`
        return { folder, files: seen.size, problem }
      }
      await pause(REST_MS)
    }
  } catch (error) {
    return { folder, files: 0, problem: explainFolder(error) }
  }
  const isUnread = (path: string) => unreadable.some((one) => path.startsWith(`${one}/`))
  await noteMissing(deps.db, { folder, isThere: (path) => seen.has(path) || isUnread(path) })
  const names = unreadable.slice(0, 3).join(', ')
  const problem = unreadable.length > 0 ? `Not every folder in it can be read: ${names}.` : null
  return { folder, files: seen.size, problem }
}

function explainFolder(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'The folder is not there.'
  if (code === 'EACCES' || code === 'EPERM') return 'The site may not read this folder.'
  if (code === 'ENOTDIR') return 'This is not a folder.'
  if (code === undefined) throw error
  return `The folder could not be read (${code}).`
}

async function observe(
  db: Database,
  input: { folder: string; files: Found[]; memory: Memory },
): Promise<void> {
  const { folder, files, memory } = input
  const rows = await listKnownFiles(
    db,
    folder,
    files.map(({ path }) => path),
  )
  const known = new Map(rows.map((row) => [row.path, row]))
  const back: number[] = []
  const unchanged: number[] = []
  for (const found of files) {
    const key = keyOf(found)
    const row = known.get(found.path)
    if (row?.identity === found.identity && row.original !== 'removed') {
      if (memory.observed.delete(key)) unchanged.push(row.id)
      if (row.isMissing) back.push(row.id)
      continue
    }
    const before = memory.observed.get(key)
    if (!before && memory.observed.size >= SETTLING_MAX) continue
    const isEqual = before?.found.identity === found.identity
    const times = isEqual ? before.times + 1 : 1
    const failures = isEqual ? before.failures : 0
    memory.observed.set(key, { found, times, round: memory.round, failures })
  }
  await updateMissing(db, { ids: back, isMissing: 0 })
  await clearProblems(db, unchanged)
}

function forgetUnseen({ observed, round }: Memory): void {
  for (const [key, one] of observed) if (one.round !== round) observed.delete(key)
}

async function noteMissing(
  db: Database,
  { folder, isThere }: { folder: string; isThere: (path: string) => boolean },
): Promise<void> {
  const limit = CHECKED_AT_A_TIME
  for (let afterId = 0; ; ) {
    const rows = await listPresentFiles(db, { folder, afterId, limit })
    const ids = rows.filter(({ path }) => !isThere(path)).map(({ id }) => id)
    await updateMissing(db, { ids, isMissing: 1 })
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    afterId = last.id
    await pause(REST_MS)
  }
}

/** @returns what stopped the examination, and the owners of new items */
async function examineSettled(
  deps: RoundDeps,
  input: {
    memory: Memory
    settings: StoredInboxSettings
    onExamine: (path: string) => Promise<void>
  },
): Promise<{ problem: string | null; came: Set<number> }> {
  const { memory, settings, onExamine } = input
  const came = new Set<number>()
  const settled = [...memory.observed.values()]
    .filter(({ times }) => times >= TIMES_EQUAL)
    .sort((one, other) => other.found.modifiedAt.getTime() - one.found.modifiedAt.getTime())
  const until = performance.now() + EXAMINING_MS
  let toldAt = 0
  for (const observation of settled) {
    const { found } = observation
    if (deps.closing.aborted || performance.now() > until) break
    if ((await findInboxSettings(deps.db)).isPaused) break
    if (performance.now() - toldAt > TELL_MS) {
      await onExamine(found.path)
      toldAt = performance.now()
    }
    try {
      const { userId, isKept } = await examineFile(deps, { found, rules: settings.rules })
      settle(memory, { observation, isKept })
      if (userId !== undefined) came.add(userId)
    } catch (error) {
      if (isDiskFull(error) || (error instanceof AppError && error.kind === 'no-space')) {
        return { problem: FULL, came }
      }
      if (error instanceof MediaInterruptedError) break
      if (isBusy(error) || isFailedWrite(error)) throw error
      if (error instanceof MediaKilledError || isPassing(error)) {
        observation.failures += 1
        if (isPassing(error)) observation.times = 0
        if (observation.failures < FAILURES_MAX) continue
      }
      if (error instanceof FileChangedError) {
        // The next rounds observe it again.
        settle(memory, { observation })
        continue
      }
      deps.log.warn({ err: error }, 'a file of the inbox could not be examined')
      const { isKept } = await noteUnreadable(deps, { found, rules: settings.rules })
      settle(memory, { observation, isKept })
    }
  }
  return { problem: null, came }
}

function settle(
  { observed }: Memory,
  { observation, isKept }: { observation: Observation; isKept?: boolean | undefined },
): void {
  if (isKept) Object.assign(observation, { times: -ROUNDS_BETWEEN, failures: 0 })
  else observed.delete(keyOf(observation.found))
}

async function tellOwners({ db, live }: RoundDeps, came: Set<number>): Promise<void> {
  for (const userId of came) {
    const notified = await inTransaction(db, async (transaction) => {
      const waiting = await countWaiting(transaction, userId)
      return waiting === 0 ? [] : recordingsCame.raise({ db: transaction, userId, waiting })
    })
    live.announce([userId, ...notified.flat()])
  }
}

/** Writes at most once a minute if only the time has changed. */
async function saveStatus(db: Database, status: RoundStatus): Promise<void> {
  const { status: before } = await findInboxSettings(db)
  const { lookedAt, ...rest } = status
  const { lookedAt: earlier = '', ...same } = before ?? {}
  const isOld = Date.parse(lookedAt) - Date.parse(earlier) > 60_000
  if (!isOld && JSON.stringify(same) === JSON.stringify(rest)) return
  await writeQuietly(db, (transaction) =>
    updateInboxSettings(transaction, { status: JSON.stringify(status) }),
  )
}
