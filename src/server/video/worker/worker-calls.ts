import { basename } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { sizeOf } from '#server/platform/durable-files.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'

import { SHARE_FILE_BYTES_MAX } from '#shared/limits.ts'
import { HandedBackError, NoRoomThereError, RefusedResultError } from '../job/job-errors.ts'
import type { EncoderName } from '../processing/encode/encoder-name.ts'
import { MediaFailedError, OutOfMemoryError } from '../processing/media-errors.ts'
import { type HeldTask, inputsOf, notHeld } from './held-task.ts'
import { checkResult } from './output-check.ts'
import type { RemoteWork } from './remote-work.ts'
import type { KnownWorker } from './worker.access.ts'
import { updateWorkerSeen } from './worker.queries.ts'
import type { Failure, Order } from './worker-protocol.ts'

const RENEW_MS = 1000

type Deps = Pick<AppDeps, 'db' | 'remote'>

export async function greetWorker(
  { db, remote }: Deps,
  worker: KnownWorker,
  { version, encoder }: { version: string; encoder: EncoderName },
): Promise<{ name: string; leaseSeconds: number }> {
  await updateWorkerSeen(db, { id: worker.id, version, encoder })
  return { name: worker.name, leaseSeconds: remote.leaseMs / 1000 }
}

export async function describeOrder({ job, task }: HeldTask): Promise<Order> {
  const { encoder = 'libx264' } = task
  const inputs = await Promise.all(
    [...inputsOf(task)].map(async ([name, path]) => ({ name, bytes: (await sizeOf(path)) ?? 0 })),
  )
  const source = basename(task.sourcePath)
  const ids = { jobId: job.id, attempt: job.attempt, inputs }
  if (task.kind === 'ladder') {
    const { playablePath, thumbnailPath, heights, shareBytesMax = SHARE_FILE_BYTES_MAX } = task
    const thumbnail = thumbnailPath && basename(thumbnailPath)
    const playable = basename(playablePath)
    const made = { heights, shareBytesMax, encoder }
    return { ...ids, task: { kind: 'ladder', source, playable, thumbnail, ...made } }
  }
  const { outputPath, quickShortSide } = task
  const quick = quickShortSide === undefined ? {} : { quickShortSide }
  return {
    ...ids,
    task: { kind: 'transcode', source, output: basename(outputPath), ...quick, encoder },
  }
}

export function takeResultOnce(
  { results, leaseMs }: RemoteWork,
  held: HeldTask,
  answer: unknown,
): Promise<void> {
  const { job, workerId } = held
  const key = `${workerId}:${job.id}:${job.attempt}`
  const taken = takeResult(held, answer)
  results.set(key, taken)
  const forget = () => void setTimeout(() => results.delete(key), leaseMs).unref()
  taken.then(forget, forget)
  return taken
}

/** @throws `unprocessable` for a wrong result, `conflict` for a cancelled job */
async function takeResult(held: HeldTask, answer: unknown): Promise<void> {
  await held.handIn()
  failpoint('result.begun')
  // The lease has to last during the verification.
  const timer = setInterval(held.renew, RENEW_MS)
  const checked = await checkResult(held, answer)
    .catch((error) => {
      throw held.over.aborted ? notHeld() : error
    })
    .finally(() => clearInterval(timer))
  held.noteProgress()
  if ('problem' in checked) {
    held.fail(new RefusedResultError(checked.problem))
    throw new AppError('unprocessable', `The result was refused: ${checked.problem}.`)
  }
  failpoint('result.checked')
  held.succeed(checked.result)
}

/** Requeues: another attempt has to confirm that a recording is unreadable. */
export function takeFailure(held: HeldTask, { reason, diagnostics }: Failure): void {
  held.fail(explainFailure(reason, diagnostics))
}

function explainFailure(reason: Failure['reason'], diagnostics: string): Error {
  if (reason === 'returned') return new HandedBackError()
  if (reason === 'no-room') return new NoRoomThereError(diagnostics)
  if (reason === 'out-of-memory') return new OutOfMemoryError(diagnostics)
  return new MediaFailedError('The work on this file broke down.', diagnostics)
}
