import os from 'node:os'
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import { AppError } from '../errors.ts'
import { UnplayableSourceError } from './media-errors.ts'
import { outOfMemoryExitCode } from './media-limits.ts'
import type { MediaMessage, MediaOrder } from './media-message.ts'
import type { MediaResult, MediaTask } from './media-task.ts'
import { prepare } from './prepare.ts'
import { makeThumbnail } from './thumbnail.ts'
import { transcode } from './transcode.ts'

const memoryCheckMs = 200
const progressMs = 250

process.on('disconnect', endAtOnce)
process.once('message', (order: MediaOrder) => void carryOut(order))

/** Does one task, answers once, and ends. */
async function carryOut({ task, memoryLimitBytes }: MediaOrder): Promise<void> {
  watchMemory(memoryLimitBytes)
  Log.setLevel(AV_LOG_ERROR)
  if (task.kind === 'transcode') lowerPriority()
  const answer = await perform(task).then(
    (result): MediaMessage => ({ kind: 'done', result }),
    describeFailure,
  )
  process.removeListener('disconnect', endAtOnce)
  process.send?.(answer, () => process.exit(0))
}

function perform(task: MediaTask): Promise<MediaResult> {
  const onPercent = makeProgressReport()
  switch (task.kind) {
    case 'prepare':
      return prepare(task, onPercent)
    case 'transcode':
      return transcode(task, onPercent)
    case 'thumbnail':
      return makeThumbnail(task)
  }
}

function describeFailure(error: unknown): MediaMessage {
  if (error instanceof UnplayableSourceError) {
    return { kind: 'unplayable', message: error.message }
  }
  const isFull = error instanceof AppError && error.kind === 'no-space'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (isFull || code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'no-space' }
  return { kind: 'failed', diagnostics: error instanceof Error ? `${error.stack}` : `${error}` }
}

function makeProgressReport(): (percent: number) => void {
  let sentAt = 0
  let highest = 0
  return (percent) => {
    const now = performance.now()
    if (!(percent > highest) || now - sentAt < progressMs) return
    sentAt = now
    highest = Math.min(percent, 100)
    const message: MediaMessage = { kind: 'progress', percent: highest }
    process.send?.(message)
  }
}

function watchMemory(limitBytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > limitBytes) process.exit(outOfMemoryExitCode)
  }, memoryCheckMs).unref()
}

function lowerPriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Some systems do not let a process change it.
  }
}

/** The parent is gone: nobody waits for the result, and nobody else would ever end this process. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
