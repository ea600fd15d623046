import type { ChildProcess } from 'node:child_process'
import { readFailpoint } from './config.ts'

/** Four of the site, the others of the worker. */
export const WORKER_FAILPOINTS = [
  'order.made',
  'output.written',
  'result.begun',
  'result.checked',
  'worker.ordered',
  'worker.fetched',
  'worker.made',
  'worker.sending',
  'worker.sent',
  'worker.done',
] as const

/** A crash there loses nothing acknowledged and leaves nothing half done. */
export const FAILPOINTS = [
  'upload.folder-made',
  'upload.row-inserted',
  'chunk.written',
  'chunk.recorded',
  'thumbnail.moved',
  'thumbnail.recorded',
  'complete.begun',
  'complete.files-made',
  'complete.prepared',
  'complete.source-removed',
  'complete.moved',
  'complete.publishing',
  'complete.published',
  'cancel.marked',
  'cancel.removed',
  'fetch.noted',
  'fetch.published',
  'import.noted',
  'import.published',
  'import.done',
  'job.claimed',
  'transcode.made',
  'transcode.moved',
  'transcode.published',
  'ladder.made',
  'ladder.moved',
  'ladder.published',
  'cut.queued',
  'cut.made',
  'cut.moved',
  'cut.published',
  'cut.brought-back',
  'montage.queued',
  'montage.made',
  'montage.moved',
  'montage.published',
  'mix.made',
  'mix.moved',
  'mix.published',
  'files.announced',
  'files.moved',
  'files.published',
  'retired.removed',
  'picture.moved',
  'picture.recorded',
  'delete.marked',
  'delete.files-removed',
  'delete.rows-removed',
  'long-work.step-done',
  'chat-post.begun',
  'chat-post.answered',
  'account.marked',
  'account.uploads-ended',
  'account.video-removed',
  'account.pictures-removed',
  'account.traces-removed',
  'account.removed',
  'data-export.claimed',
  'data-export.section-written',
  'data-export.done',
  'backup.copied',
  'backup.media-taken',
  'backup.listed',
  'backup.moved',
  'restore.media-taken',
  'restore.database-taken',
  'restore.media-moved',
  'restore.database-moved',
  'move.copied',
  'move.verified',
  'move.removing',
  'move.removed',
  'move-database.copied',
  'move-database.compared',
  'move-database.left',
  'upgrade.copied',
  'upgrade.migrated',
] as const

export type Failpoint = (typeof FAILPOINTS)[number] | (typeof WORKER_FAILPOINTS)[number]

/** Kills the child, like the kernel's OOM killer. */
const CHILD_STEP = 'child.prepare'

const wanted = readFailpoint([...FAILPOINTS, ...WORKER_FAILPOINTS, CHILD_STEP])
const isDue = countDown(wanted)

/**
 * For tests: `CLUTCH_STOP_AT=<step>` kills the process there, `<step>:3` at the third time,
 * `<step>:1:pause` stops it until SIGCONT.
 * @throws ConfigError at start for an unknown step
 */
export function failpoint(step: Failpoint): void {
  if (isDue(step)) process.kill(process.pid, wanted?.isPause ? 'SIGSTOP' : 'SIGKILL')
}

export function childFailpoint(step: string, child: ChildProcess): void {
  if (isDue(step)) child.kill('SIGKILL')
}

function countDown(wanted: ReturnType<typeof readFailpoint>): (step: string) => boolean {
  if (!wanted) return () => false
  let left = wanted.times
  return (step) => {
    if (step !== wanted.step) return false
    left -= 1
    return left === 0
  }
}
