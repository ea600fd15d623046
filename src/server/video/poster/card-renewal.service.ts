import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { runAlone } from '#server/platform/cluster/locks.ts'
import { isWritable } from '#server/platform/db/move/writable.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { withLocalCopies } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import { hasJobs } from '../job/job.queries.ts'
import { measureFiles } from '../media/made-files.ts'
import { publishFiles } from '../media/media-folder.ts'
import { MediaFailedError, UnplayableSourceError } from '../processing/media-errors.ts'
import { type CardsResult, NO_CARDS } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { keyOf } from '../video/media-address.ts'
import { findOldCard, type OldCard, replaceCards, skipOldCard } from './card-renewal.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'closing'>
type Log = { warn: (details: object, message: string) => void }

const TIMEOUT_MS = 30_000
const POLL_MS = 60_000
/** Leaves most of a core to others. */
const REST_MS = 1000

/**
 * Replaces the cards of older versions, one at a time, while the job queue is empty.
 * @returns a function that stops it and waits for work in progress
 */
export function startCardRenewal({ log, ...deps }: Deps & { log: Log }): () => Promise<void> {
  const ending = new AbortController()
  const signal = AbortSignal.any([deps.closing, ending.signal])
  const work = async () => {
    while (!signal.aborted) {
      try {
        await runAlone(deps.db, 'card-renewal', () => renewCards({ ...deps, closing: signal }))
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'cards could not be made; it is tried again')
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = work()
  return () => {
    ending.abort()
    return running
  }
}

/** Stops when a job is queued or no old card is left. */
export async function renewCards(deps: Deps, restMs = REST_MS): Promise<void> {
  const { db, closing } = deps
  while (!closing.aborted && (await isWritable(db)) && !(await hasJobs(db))) {
    const video = await findOldCard(db)
    if (!video) return
    await renewCard(deps, video)
    await pause(restMs, undefined, { signal: closing }).catch(() => {})
  }
}

async function renewCard(deps: Deps, video: OldCard): Promise<void> {
  const { db, disk, media } = deps
  const { id, mediaKey, thumbnailUrl } = video
  const name = `poster-${randomBytes(6).toString('hex')}`
  const work = await disk.openWorkFolder(name)
  try {
    const made = await withLocalCopies(media, [keyOf(mediaKey, thumbnailUrl)], ([sourcePath]) =>
      makeCards(deps, { sourcePath, outputFolder: work, name }),
    )
    if (!made.cardFile) return await skipOldCard(db, video)
    await publishFiles(deps, {
      video: { id, mediaKey },
      workFolder: work,
      files: await measureFiles(work, made.files),
      payer: null,
      publish: (transaction) => replaceCards(transaction, { video, made }),
    })
  } finally {
    await removeFolder(work)
  }
}

/** @returns none of a file that is missing or cannot be decoded */
async function makeCards(
  { closing: signal }: Deps,
  { sourcePath, ...output }: { sourcePath: string | undefined; outputFolder: string; name: string },
): Promise<CardsResult> {
  if (sourcePath === undefined) return NO_CARDS
  try {
    const options = { timeoutMs: TIMEOUT_MS, signal }
    return await runMediaTask({ kind: 'cards', sourcePath, ...output }, options)
  } catch (error) {
    if (error instanceof UnplayableSourceError || error instanceof MediaFailedError) return NO_CARDS
    throw error
  }
}
