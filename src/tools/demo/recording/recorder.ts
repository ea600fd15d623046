import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Recording } from './write-recording.ts'

/** Orders that are not urgent run at low priority. */
export type Order = {
  path: string
  recording?: Recording | undefined
  picture?: string
  isUrgent?: boolean
}
export type Outcome = { failure?: string }

/** Draws in a child process, because FFmpeg blocks the thread. */
export function startRecorder() {
  const child = fork(join(import.meta.dirname, 'recorder-process.ts'))
  const ended = once(child, 'exit')
  let last: Promise<unknown> = Promise.resolve()

  async function send(order: Order): Promise<string> {
    const answered = once(child, 'message')
    child.send(order)
    const answer = await Promise.race([answered, ended.then(() => undefined)])
    const failure = answer ? (answer[0] as Outcome).failure : 'the recorder has ended'
    if (failure !== undefined) throw new Error(`${order.path} could not be made: ${failure}`)
    return order.path
  }

  return {
    /** Runs after earlier orders. @returns its path */
    make(order: Order): Promise<string> {
      const made = last.then(() => send(order))
      last = made.catch(() => {})
      return made
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
