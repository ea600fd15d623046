import { Worker } from 'node:worker_threads'
import { AppError } from '#server/platform/errors.ts'
import { createFairSemaphore } from '#server/platform/locks/fair-semaphore.ts'
import type { CaptionReply } from './caption-worker.ts'
import type { ParsedCaptions } from './parse-captions.ts'

const SCRIPT = new URL('./caption-worker.ts', import.meta.url)
const TIMEOUT_MS = 10_000
const MEMORY_MB = 128
const TOO_MUCH = 'This file takes too long to read. Please split it.'

const oneAtATime = createFairSemaphore({ permits: 1, permitsPerKey: 1 })

/**
 * Runs on a thread: a hostile megabyte takes a third of a second. Members take turns.
 * @throws `unprocessable` naming the line
 */
export function readCaptions(bytes: Uint8Array, memberId: number): Promise<ParsedCaptions> {
  return oneAtATime(memberId, () => readOnThread(bytes))
}

function readOnThread(bytes: Uint8Array): Promise<ParsedCaptions> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SCRIPT, {
      workerData: bytes,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    const timeout = setTimeout(() => void worker.terminate(), TIMEOUT_MS)
    worker.once('message', (reply: CaptionReply) => {
      if ('text' in reply) resolve(reply)
      else reject(new AppError('unprocessable', reply.refusal))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') reject(error)
    })
    // No effect after an answer.
    worker.once('exit', () => {
      clearTimeout(timeout)
      reject(new AppError('unprocessable', TOO_MUCH))
    })
  })
}
