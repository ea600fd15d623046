import { createHash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'

import { failpoint } from '#server/platform/failpoints.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { sizeOf } from '#server/platform/files/durable-files.ts'

import { RefusedResultError } from '../job/job-errors.ts'
import { type HeldTask, inputsOf } from './held-task.ts'
import { OUTPUTS_MAX, outputKind, outputLimits } from './output-rules.ts'

const HASH_SLICE_BYTES = 128 * 1024

/** How much of an output has arrived. @throws AppError `unprocessable` for a file that the task does not make */
export async function countReceived(held: HeldTask, name: string): Promise<number> {
  requireExpected(held, name)
  return (await sizeOf(join(held.folder, name))) ?? 0
}

/**
 * Appends a piece to an output. One that begins elsewhere than the output ends, or was changed on its way, is left
 * out: what is answered says where to go on.
 * @param input.digest SHA-256 in base64
 * @returns how much has arrived
 * @throws AppError `unprocessable` for a file that the task does not make, one too many or too large ones: then
 * others get the job
 */
export async function receiveOutput(
  { disk }: { disk: Disk },
  held: HeldTask,
  input: { name: string; offset: number; bytes: Buffer; digest: string },
): Promise<number> {
  const { name, offset, bytes, digest } = input
  const isWhole = (await hashOf(bytes)) === digest
  return held.write(async () => {
    const received = await countReceived(held, name)
    if (offset !== received || !isWhole) return received
    await requireWithinLimits(held, { name, bytes: received + bytes.length, added: bytes.length })
    if ((await disk.freeBytes()) < bytes.length) {
      const full = new AppError('no-space', 'There is no room left on the server.')
      held.fail(full)
      throw full
    }
    const file = await open(join(held.folder, name), 'a')
    try {
      await file.appendFile(bytes)
    } finally {
      await file.close()
    }
    failpoint('output.written')
    held.moved()
    return received + bytes.length
  })
}

function requireExpected(held: HeldTask, name: string) {
  const kind = outputKind(held.task, name)
  return kind ?? refuse(held, `it sent a file that the work does not make, ${name}`)
}

async function requireWithinLimits(
  held: HeldTask,
  { name, bytes, added }: { name: string; bytes: number; added: number },
): Promise<void> {
  const limits = outputLimits(
    requireExpected(held, name),
    await sumBytes(inputsOf(held.task).values()),
  )
  const names = await readdir(held.folder)
  const others = await sumBytes(names.map((other) => join(held.folder, other)))
  if (names.length >= OUTPUTS_MAX && !names.includes(name)) {
    refuse(held, `it sent more than ${OUTPUTS_MAX} files`)
  }
  if (bytes > limits.file || others + added > limits.all) {
    refuse(held, `what it sent is far larger than the recording (${name})`)
  }
}

/** Takes the job from the worker. */
function refuse(held: HeldTask, reason: string): never {
  held.fail(new RefusedResultError(reason))
  throw new AppError('unprocessable', `The job is given to another machine: ${reason}.`)
}

async function sumBytes(paths: Iterable<string>): Promise<number> {
  let sum = 0
  for (const path of paths) sum += (await stat(path)).size
  return sum
}

/** SHA-256 in base64; the event loop is free between slices of it. */
async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_SLICE_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_SLICE_BYTES))
    await nextTurn()
  }
  return hash.digest('base64')
}
