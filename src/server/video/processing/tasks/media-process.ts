import { rm } from 'node:fs/promises'
import os from 'node:os'
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import { AppError } from '#server/platform/errors.ts'
import { UnplayableSourceError } from '../media-errors.ts'
import { outOfMemoryExitCode } from '../media-limits.ts'
import {
  indexedCopyPath,
  isJobTask,
  type MediaMessage,
  type MediaOrder,
  type MediaProgress,
  type MediaResult,
  type MediaTask,
  type Report,
  readsUpload,
  type TestEncoderResult,
  type TestEncoderTask,
} from './media-task.ts'

const memoryCheckMs = 200
const progressMs = 250

process.on('disconnect', endAtOnce)
process.once('message', (order: MediaOrder) => void carryOut(order))

async function carryOut({ task, memoryLimitBytes }: MediaOrder): Promise<void> {
  watchMemory(memoryLimitBytes)
  Log.setLevel(AV_LOG_ERROR)
  if (isJobTask(task)) lowerPriority()
  const answer = await perform(task).then(
    (result): MediaMessage => ({ kind: 'done', result }),
    describeFailure,
  )
  process.removeListener('disconnect', endAtOnce)
  process.send?.(answer, () => process.exit(0))
}

/** Loads only what it needs: users wait. */
async function perform(task: MediaTask): Promise<MediaResult> {
  const report = makeProgressReport()
  if (!readsUpload(task)) return performAs(task, report)
  const { copyStreamed } = await import('./streamed-source.ts')
  const sourcePath = indexedCopyPath(task)
  if (!(await copyStreamed(task.sourcePath, sourcePath))) return performAs(task, report)
  try {
    return await performAs({ ...task, sourcePath }, report)
  } finally {
    await rm(sourcePath, { force: true })
  }
}

async function performAs(task: MediaTask, report: Report): Promise<MediaResult> {
  switch (task.kind) {
    case 'prepare':
      return (await import('./prepare.ts')).prepare(task, report)
    case 'glance':
      return (await import('./glance.ts')).glance(task)
    case 'transcode':
      return (await import('./transcode.ts')).transcode(task, report)
    case 'ladder':
      return (await import('./ladder.ts')).makeLadder(task, report)
    case 'thumbnail':
      return (await import('../picture/thumbnail.ts')).makeThumbnail(task)
    case 'cards':
      return (await import('../picture/card-pictures.ts')).makeCardPictures(task)
    case 'poster':
      return (await import('./chosen-poster.ts')).makeChosenPoster(task)
    case 'clip':
      return (await import('./clip-file.ts')).makeClipFile(task, report)
    case 'test-encoder':
      return tryEncoder(task)
    case 'inspect':
      return (await import('./inspect.ts')).inspect(task)
    case 'key-frames':
      return (await import('./key-frames.ts')).findKeyFrames(task)
    case 'cut':
      return (await import('./cut.ts')).cutVideo(task, report)
    case 'montage':
      return (await import('./montage.ts')).makeMontage(task, report)
    case 'mix':
      return (await import('./mix-sound.ts')).mixSoundOf(task, report)
    case 'join':
      return (await import('./join-recordings.ts')).joinRecordings(task, report)
    case 'align':
      return (await import('./align.ts')).alignRecordings(task, report)
  }
}

async function tryEncoder({ encoder }: TestEncoderTask): Promise<TestEncoderResult> {
  const { testEncoder } = await import('./test-encoder.ts')
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

/** Page requests come first. */
function lowerPriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_LOW)
  } catch {
    // Some systems do not allow it.
  }
}

/** Nobody else ends it once the parent is gone. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
