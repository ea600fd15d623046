/**
 * The queue of data exports. It is separate from the job queue, whose jobs belong to videos. It consists of rows, and
 * of a lock that one node holds while it works. See docs/decisions/0082-ones-own-data.md.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { insertNotifications } from '#server/community/notification/notification.queries.ts'
import { runAlone } from '#server/platform/cluster/locks.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { isBusy } from '#server/platform/db/errors.ts'
import { isWritable } from '#server/platform/db/move/writable.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { waitsForStorage } from '#server/video/job/job-settlement.ts'
import { formatDate } from '#shared/text/format.ts'
import { writeClutchExport } from './clutch-export.ts'
import { archiveBytes } from './data-archive.ts'
import {
  type ClaimedExport,
  claimExport,
  listDueExports,
  updateClaimedExport,
} from './data-export.queries.ts'
import { countOwnVideos } from './own-media.queries.ts'
import type { Described } from './own-media.ts'
import { writePeertubeExport } from './peertube-export.ts'
import { findProfile } from './sections.queries.ts'
import type { DataRow } from './table-section.queries.ts'
import { createExportWriter, ExportLostError, VIDEOS_PERCENT } from './write-export.ts'

type Log = { warn: (details: object, message: string) => void }
type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'live' | 'closing'>

const POLL_MS = 1000
const RETRY_MS = 30_000
const ATTEMPTS_MAX = 5
export const EXPORT_DAYS = 7
const DAY_MS = 86_400_000

const FAILED = 'Your download could not be prepared. Please try again later.'

/** @returns a function that stops the queue and waits for a running export */
export function startDataExports(deps: Deps & { log: Log }): () => Promise<void> {
  const ending = new AbortController()
  const closing = AbortSignal.any([deps.closing, ending.signal])
  const work = async () => {
    while (!closing.aborted) {
      await makeDueExports({ ...deps, closing }).catch((err) =>
        deps.log.warn({ err }, 'a data export failed; it is tried again'),
      )
      await pause(POLL_MS, undefined, { signal: closing }).catch(() => {})
    }
  }
  const running = work()
  return () => {
    ending.abort()
    return running
  }
}

/** Prepares exports one at a time across all nodes. */
export async function makeDueExports(deps: Deps): Promise<void> {
  const { db, closing } = deps
  if ((await listDueExports(db)).length === 0) return
  await runAlone(db, 'data-exports', async () => {
    for (const id of await listDueExports(db)) {
      if (closing.aborted || !(await isWritable(db))) return
      const claimed = await claimExport(db, id)
      if (claimed) await attempt(deps, claimed)
    }
  })
}

/** When the server stops, the export stays `running`, and the next process begins it again. */
async function attempt(deps: Deps, claimed: ClaimedExport): Promise<void> {
  const { db } = deps
  try {
    if (claimed.attempt > ATTEMPTS_MAX) throw new Error(FAILED)
    failpoint('data-export.claimed')
    await makeExport(deps, claimed)
  } catch (error) {
    if (deps.closing.aborted || error instanceof ExportLostError) return
    const waits = waitsForStorage(error) || isBusy(error)
    const isOver = !waits && claimed.attempt >= ATTEMPTS_MAX
    const runAfter = timestamp(new Date(Date.now() + RETRY_MS))
    const change = isOver
      ? { state: 'failed' as const, finishedAt: timestamp(), error: FAILED }
      : { state: 'queued' as const, runAfter }
    await updateClaimedExport(db, { ...claimed, change })
    throw error
  }
}

async function makeExport(deps: Deps, claimed: ClaimedExport): Promise<void> {
  const { db, live, closing } = deps
  const { userId } = claimed
  const profile = await findProfile(db, userId)
  if (!profile) throw new ExportLostError()
  const { username, displayName } = profile
  // The rights of an admin are left out, because they concern the data of others.
  const person: Viewer = { id: userId, username, displayName, isAdmin: false }
  const writer = createExportWriter(db, claimed)
  const write = claimed.format === 'peertube' ? writePeertubeExport : writeClutchExport
  await write(deps, { writer, person, profile, described })
  const { texts, files } = writer.written()
  const now = new Date()
  const expiresAt = timestamp(new Date(now.getTime() + EXPORT_DAYS * DAY_MS))
  const done = {
    ...{ state: 'done' as const, percent: 100, finishedAt: timestamp(now), expiresAt, error: null },
    bytes: archiveBytes({ format: claimed.format, texts, files, madeAt: now }),
    fileCount: files.length,
  }
  await inTransaction(db, async (transaction) => {
    if (!(await updateClaimedExport(transaction, { ...claimed, change: done }))) {
      throw new ExportLostError()
    }
    const message = `You can download it in your settings until ${formatDate(expiresAt)}.`
    const title = 'Your data is ready'
    await insertNotifications(transaction, [
      { userId, type: 'upload', title, message, sourceUserId: null },
    ])
  })
  failpoint('data-export.done')
  live.announce([userId])

  async function* described(found: AsyncGenerator<Described>): AsyncGenerator<DataRow> {
    const count = await countOwnVideos(db, userId)
    let seen = 0
    for await (const { row, files: own } of found) {
      if (closing.aborted) throw new ExportLostError()
      writer.addFiles(own)
      seen += 1
      writer.setPercent(Math.min(VIDEOS_PERCENT, (VIDEOS_PERCENT * seen) / (count || 1)))
      yield row
    }
  }
}
