import os from 'node:os'
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import { AppError } from '../errors.ts'
import { makeChosenPoster } from './chosen-poster.ts'
import { makeLadder } from './ladder.ts'
import { UnplayableSourceError } from './media-errors.ts'
import { outOfMemoryExitCode } from './media-limits.ts'
import type { MediaMessage, MediaOrder } from './media-message.ts'
import type { MediaResult, MediaTask, TestEncoderResult, TestEncoderTask } from './media-task.ts'
import { prepare } from './prepare.ts'
import type { MediaProgress, Report } from './report.ts'
import { testEncoder } from './test-encoder.ts'
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
  if (task.kind === 'transcode' || task.kind === 'ladder') lowerPriority()
  const answer = await perform(task).then(
    (result): MediaMessage => ({ kind: 'done', result }),
    describeFailure,
  )
  process.removeListener('disconnect', endAtOnce)
  process.send?.(answer, () => process.exit(0))
}

function perform(task: MediaTask): Promise<MediaResult> {
  const report = makeProgressReport()
  switch (task.kind) {
    case 'prepare':
      return prepare(task, report)
    case 'transcode':
      return transcode(task, report)
    case 'ladder':
      return makeLadder(task, report)
    case 'thumbnail':
      return makeThumbnail(task)
    case 'poster':
      return makeChosenPoster(task)
    case 'test-encoder':
      return tryEncoder(task)
  }
}

async function tryEncoder({ encoder }: TestEncoderTask): Promise<TestEncoderResult> {
  testEncoder(encoder)
  return { encoder }
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

function makeProgressReport(): Report {
  let sentAt = 0
  const latest: MediaProgress = { percent: 0, stage: 'reading', doneSeconds: 0 }
  return (percent, details) => {
    const now = performance.now()
    const isNews = details?.stage !== undefined && details.stage !== latest.stage
    if (!(percent > latest.percent) || (now - sentAt < progressMs && !isNews)) return
    sentAt = now
    Object.assign(latest, { percent: Math.min(percent, 100) }, details)
    const message: MediaMessage = { kind: 'progress', ...latest }
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
