import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TortureInput, TortureResult } from './part.ts'

const PART_PROCESS = join(import.meta.dirname, 'part-process.ts')
const DEADLINE_MINUTES = 180
const MINUTE_MS = 60_000

/**
 * Runs a part in a process of its own, which leads a group of all that it starts: whatever happens, the part
 * ends, and its servers and their children with it.
 * @param file exports the part @param options.deadlineMinutes 180 when there is none
 */
export async function runPart(
  file: string,
  options: { input: Omit<TortureInput, 'log'>; deadlineMinutes?: number | undefined },
): Promise<TortureResult> {
  const { input, deadlineMinutes = DEADLINE_MINUTES } = options
  const child = fork(PART_PROCESS, [file], { detached: true })
  const end = () => endGroup(child)
  process.once('exit', end)
  const late = Promise.withResolvers<TortureResult>()
  const deadline = setTimeout(
    () => late.resolve(failed(`It did not end within ${deadlineMinutes} minutes.`)),
    deadlineMinutes * MINUTE_MS,
  )
  try {
    child.send(input)
    return await Promise.race([readResult(child), late.promise])
  } finally {
    clearTimeout(deadline)
    process.off('exit', end)
    end()
  }
}

/** What the part found, or that it died before it said so. */
async function readResult(child: ChildProcess): Promise<TortureResult> {
  // All that was sent comes before the end of the channel.
  const died = once(child, 'disconnect').then(() => [failed('Its process died.')])
  const [result] = (await Promise.race([once(child, 'message'), died])) as [TortureResult]
  return result
}

function failed(sentence: string): TortureResult {
  return { figures: [], failures: [sentence] }
}

function endGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-(child.pid as number), 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
