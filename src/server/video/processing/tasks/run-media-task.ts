import { type ChildProcess, fork } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '#server/platform/errors.ts'
import { childFailpoint } from '#server/platform/failpoints.ts'
import { createFairSemaphore } from '#server/platform/locks/fair-semaphore.ts'
import { CAPTIONS_PER_VIDEO } from '#shared/limits.ts'
import {
  MediaFailedError,
  MediaInterruptedError,
  MediaKilledError,
  OutOfMemoryError,
  UnplayableSourceError,
} from '../media-errors.ts'
import {
  defaultMemoryLimitBytes,
  outOfMemoryExitCode,
  posterFileName,
  textFileName,
  videoFileName,
} from '../media-limits.ts'
import {
  type AlignResult,
  type AlignTask,
  type CardsResult,
  type CardsTask,
  type ClipResult,
  type ClipTask,
  type CutResult,
  type CutTask,
  type GlanceResult,
  type GlanceTask,
  type InspectResult,
  type InspectTask,
  indexedCopyPath,
  isJobTask,
  type JoinResult,
  type JoinTask,
  type KeyFramesResult,
  type KeyFramesTask,
  type LadderResult,
  type LadderTask,
  type MediaMessage,
  type MediaOrder,
  type MediaProgress,
  type MediaResult,
  type MediaTask,
  type MixResult,
  type MixTask,
  type MontageResult,
  type MontageTask,
  type PosterResult,
  type PosterTask,
  type PrepareResult,
  type PrepareTask,
  readsUpload,
  type TestEncoderResult,
  type TestEncoderTask,
  type ThumbnailResult,
  type ThumbnailTask,
  type TranscodeResult,
  type TranscodeTask,
} from './media-task.ts'

export type RunOptions = {
  /** For fair queueing; the site by default. */
  memberId?: number
  timeoutMs: number
  /** Without progress; unlimited by default. */
  stallMs?: number
  signal?: AbortSignal
  onProgress?: (progress: MediaProgress) => void
  /** Resident; 992 MiB by default. */
  memoryLimitBytes?: number
}

type Stop = 'aborted' | 'timed-out' | 'stalled' | 'out-of-memory'

type Ending = {
  answer: MediaMessage | null
  exitCode: number | null
  exitSignal: NodeJS.Signals | null
  stop: Stop | null
  diagnostics: string
  peakBytes: number
  memoryLimitBytes: number
}

const childPath = fileURLToPath(new URL('./media-process.ts', import.meta.url))
const memoryCheckMs = 100
/** Leaves a slot for other members. */
const pageTasks = createFairSemaphore({ permits: 3, permitsPerKey: 2 })
const diagnosticsLength = 8192

const crashMessage = 'The work on this file broke down.'

/** Shutdown may reach children first; other signals are failures. */
const stopSignals = new Set<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])

/**
 * Settles after the child's exit; deletes output on failure, never syncs.
 * @throws UnplayableSourceError when the file cannot become a video (or picture),
 * MediaInterruptedError when stopped from outside, `no-space`, MediaFailedError, OutOfMemoryError,
 * MediaKilledError
 */
export function runMediaTask(task: PrepareTask, options: RunOptions): Promise<PrepareResult>
export function runMediaTask(task: GlanceTask, options: RunOptions): Promise<GlanceResult>
export function runMediaTask(task: TranscodeTask, options: RunOptions): Promise<TranscodeResult>
export function runMediaTask(task: LadderTask, options: RunOptions): Promise<LadderResult>
export function runMediaTask(task: ThumbnailTask, options: RunOptions): Promise<ThumbnailResult>
export function runMediaTask(task: PosterTask, options: RunOptions): Promise<PosterResult>
export function runMediaTask(task: CardsTask, options: RunOptions): Promise<CardsResult>
export function runMediaTask(task: InspectTask, options: RunOptions): Promise<InspectResult>
export function runMediaTask(task: TestEncoderTask, options: RunOptions): Promise<TestEncoderResult>
export function runMediaTask(task: ClipTask, options: RunOptions): Promise<ClipResult>
export function runMediaTask(task: KeyFramesTask, options: RunOptions): Promise<KeyFramesResult>
export function runMediaTask(task: CutTask, options: RunOptions): Promise<CutResult>
export function runMediaTask(task: MontageTask, options: RunOptions): Promise<MontageResult>
export function runMediaTask(task: JoinTask, options: RunOptions): Promise<JoinResult>
export function runMediaTask(task: AlignTask, options: RunOptions): Promise<AlignResult>
export function runMediaTask(task: MixTask, options: RunOptions): Promise<MixResult>
export async function runMediaTask(task: MediaTask, options: RunOptions): Promise<MediaResult> {
  return isJobTask(task)
    ? runAlone(task, options)
    : pageTasks(options.memberId ?? 'site', () => runAlone(task, options))
}

async function runAlone(task: MediaTask, options: RunOptions): Promise<MediaResult> {
  if (options.signal?.aborted) throw new MediaInterruptedError()
  const ending = await runChild(task, options)
  if (ending.stop === null && ending.answer?.kind === 'done') return ending.answer.result
  await removeOutputs(task)
  throw explainEnding(ending)
}

/** Else glibc keeps what FFmpeg frees. */
const allocation = {
  MALLOC_MMAP_THRESHOLD_: `${128 * 1024}`,
  MALLOC_TRIM_THRESHOLD_: `${128 * 1024}`,
  MALLOC_ARENA_MAX: '2',
}

/** Without secrets: the file may be hostile. */
function startChild(): ChildProcess {
  const compileCache = getCompileCacheDir()
  return fork(childPath, {
    execArgv: [],
    env: { ...allocation, ...(compileCache && { NODE_COMPILE_CACHE: dirname(compileCache) }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

function runChild(task: MediaTask, options: RunOptions): Promise<Ending> {
  const { memoryLimitBytes = defaultMemoryLimitBytes } = options
  const child = startChild()
  const ending: Ending = {
    answer: null,
    exitCode: null,
    exitSignal: null,
    stop: null,
    diagnostics: '',
    peakBytes: 0,
    memoryLimitBytes,
  }
  listen(child, ending, options.onProgress)
  const stopWatching = watch(child, options, ending, (reason) => {
    ending.stop ??= reason
    child.kill('SIGKILL')
  })
  const order: MediaOrder = { task, memoryLimitBytes }
  child.send(order, () => {})
  childFailpoint(`child.${task.kind}`, child)
  return new Promise((resolve) => {
    const settle = () => {
      stopWatching()
      resolve(ending)
    }
    child.on('error', (error) => {
      ending.diagnostics += `${error}`
      if (child.pid === undefined) settle()
    })
    child.on('close', (exitCode, exitSignal) => {
      Object.assign(ending, { exitCode, exitSignal })
      settle()
    })
  })
}

function listen(child: ChildProcess, ending: Ending, onProgress: RunOptions['onProgress']): void {
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    ending.diagnostics = (ending.diagnostics + text).slice(-diagnosticsLength)
  })
  child.on('message', (message: MediaMessage) => {
    if (message.kind !== 'progress') ending.answer = message
    else if (ending.stop === null) {
      const { percent, stage, doneSeconds } = message
      onProgress?.({ percent, stage, doneSeconds })
    }
  })
}

function watch(
  child: ChildProcess,
  limits: Pick<RunOptions, 'timeoutMs' | 'stallMs' | 'signal'>,
  ending: Ending,
  stop: (reason: Stop) => void,
): () => void {
  const onAbort = () => stop('aborted')
  limits.signal?.addEventListener('abort', onAbort)
  const timeout = setTimeout(() => stop('timed-out'), limits.timeoutMs)
  const { stallMs } = limits
  const stall = stallMs === undefined ? undefined : setTimeout(() => stop('stalled'), stallMs)
  // Only progress sends messages.
  child.on('message', () => stall?.refresh())
  const memoryCheck = setInterval(async () => {
    ending.peakBytes = Math.max(ending.peakBytes, await residentBytes(child.pid))
    if (ending.peakBytes > ending.memoryLimitBytes) stop('out-of-memory')
  }, memoryCheckMs)
  return () => {
    clearTimeout(timeout)
    clearTimeout(stall)
    clearInterval(memoryCheck)
    limits.signal?.removeEventListener('abort', onAbort)
  }
}

function explainEnding(ending: Ending): Error {
  const { answer, exitCode, exitSignal, stop, diagnostics } = ending
  if (stop === 'aborted') return new MediaInterruptedError()
  if (stop === 'timed-out') {
    return new MediaFailedError('The work on this file took too long.', diagnostics)
  }
  if (stop === 'stalled') {
    return new MediaFailedError('The work on this file came to a standstill.', diagnostics)
  }
  if (stop === 'out-of-memory' || exitCode === outOfMemoryExitCode) {
    return new OutOfMemoryError(`${describeMemory(ending)}\n${diagnostics}`)
  }
  if (answer?.kind === 'unplayable') return new UnplayableSourceError(answer.message)
  if (answer?.kind === 'no-space') {
    return new AppError('no-space', 'There is no room left on the server.')
  }
  if (answer?.kind === 'failed') {
    return new MediaFailedError(crashMessage, `${answer.diagnostics}\n${diagnostics}`)
  }
  if (exitSignal && stopSignals.has(exitSignal)) return new MediaInterruptedError()
  if (exitSignal === 'SIGKILL') return new MediaKilledError(diagnostics)
  return new MediaFailedError(crashMessage, `exit ${exitCode ?? exitSignal}\n${diagnostics}`)
}

/** The child may notice first, below the limit. */
function describeMemory({ peakBytes, memoryLimitBytes }: Ending): string {
  const [seen, most] = [peakBytes, memoryLimitBytes].map((bytes) => Math.round(bytes / 1024 ** 2))
  return `Resident memory rose to ${seen} MiB or more; the limit is ${most} MiB.`
}

async function removeOutputs(task: MediaTask): Promise<void> {
  if (readsUpload(task)) await rm(indexedCopyPath(task), { force: true })
  for (const path of await listOutputs(task)) await rm(path, { force: true, recursive: true })
}

async function listOutputs(task: MediaTask): Promise<string[]> {
  switch (task.kind) {
    case 'prepare':
      return [
        ...[videoFileName, posterFileName],
        ...Array.from({ length: CAPTIONS_PER_VIDEO }, (_, index) => textFileName(index + 1)),
      ].map((name) => join(task.outputFolder, name))
    case 'ladder':
    case 'poster':
    case 'cards':
    case 'cut':
    case 'montage':
    case 'mix':
      return (await readdir(task.outputFolder).catch(() => [])).map((name) =>
        join(task.outputFolder, name),
      )
    case 'test-encoder':
    case 'inspect':
    case 'key-frames':
    case 'align':
      return []
    default:
      return [task.outputPath]
  }
}

/** 0 if unknown. */
async function residentBytes(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
