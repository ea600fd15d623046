import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { RefusedResultError } from '../job/job-errors.ts'
import { type ArrivingOutput, type HeldTask, inputsOf } from './held-task.ts'
import { OUTPUTS_MAX, outputKind, outputLimits } from './output-rules.ts'

const HASH_SLICE_BYTES = 128 * 1024

/** @throws `unprocessable` for an unexpected file */
export function listReceived(held: HeldTask, name: string): number[] {
  requireExpected(held, name)
  return [...(held.outputs.get(name)?.pieces.keys() ?? [])]
}

/**
 * Not for existing and corrupted pieces.
 * @param input.digest SHA-256 in base64
 * @throws `unprocessable` for an unexpected, surplus or oversized file
 */
export async function receiveOutput(
  { disk }: { disk: Disk },
  held: HeldTask,
  input: { name: string; offset: number; bytes: Buffer; digest: string },
): Promise<void> {
  const { name, offset, bytes, digest } = input
  const kind = requireExpected(held, name)
  const isWhole = (await hashOf(bytes)) === digest
  return held.write(async () => {
    const limits = outputLimits(kind, await sumBytes(inputsOf(held.task).values()))
    const output = held.outputs.get(name) ?? { end: 0, pieces: new Map() }
    if (!isWhole || output.pieces.has(offset)) return
    requireWithinLimits(held, { name, output, end: offset + bytes.length, limits })
    held.outputs.set(name, output)
    output.end = Math.max(output.end, offset + bytes.length)
    await requireRoom(disk, held, bytes.length)
    await writePiece(join(held.folder, name), bytes, offset)
    output.pieces.set(offset, bytes.length)
    failpoint('output.written')
    held.noteProgress()
  })
}

export function isComplete(held: HeldTask, name: string): boolean {
  const output = held.outputs.get(name)
  return output !== undefined && countBytes(output) === output.end
}

function countBytes({ pieces }: ArrivingOutput): number {
  return [...pieces.values()].reduce((sum, length) => sum + length, 0)
}

function requireExpected(held: HeldTask, name: string) {
  const kind = outputKind(held.task, name)
  return kind ?? refuse(held, `it sent a file that the work does not make, ${name}`)
}

/** Synchronous: counts concurrent pieces. */
function requireWithinLimits(
  held: HeldTask,
  input: {
    name: string
    output: ArrivingOutput
    end: number
    limits: { file: number; all: number }
  },
): void {
  const { name, output, end, limits } = input
  if (held.outputs.size >= OUTPUTS_MAX && !held.outputs.has(name)) {
    refuse(held, `it sent more than ${OUTPUTS_MAX} files`)
  }
  const all = [...held.outputs.values()].reduce((sum, other) => sum + other.end, 0)
  const grown = Math.max(output.end, end) - output.end
  if (end > limits.file || all + grown > limits.all) {
    refuse(held, `what it sent is far larger than the recording (${name})`)
  }
}

async function requireRoom(disk: Disk, held: HeldTask, bytes: number): Promise<void> {
  if ((await disk.freeBytes()) >= bytes) return
  const full = new AppError('no-space', 'There is no room left on the server.')
  held.fail(full)
  throw full
}

async function writePiece(path: string, bytes: Buffer, offset: number): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT)
  try {
    for (let written = 0; written < bytes.length; ) {
      const left = bytes.length - written
      written += (await file.write(bytes, written, left, offset + written)).bytesWritten
    }
  } finally {
    await file.close()
  }
}

function refuse(held: HeldTask, reason: string): never {
  held.fail(new RefusedResultError(reason))
  throw new AppError('unprocessable', `The job is given to another machine: ${reason}.`)
}

async function sumBytes(paths: Iterable<string>): Promise<number> {
  let sum = 0
  for (const path of paths) sum += (await stat(path)).size
  return sum
}

/** Base64; yields between slices. */
async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += HASH_SLICE_BYTES) {
    hash.update(bytes.subarray(at, at + HASH_SLICE_BYTES))
    await nextTurn()
  }
  return hash.digest('base64')
}
