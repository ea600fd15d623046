import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Recording } from './write-recording.ts'

/** One of the two, and where it goes; what is not urgent leaves the machine to everybody else. */
export type Order = {
  path: string
  recording?: Recording | undefined
  picture?: string
  isUrgent?: boolean
}
export type Outcome = { failure?: string }

/** Starts a process that draws with FFmpeg, so that nobody here waits for it. */
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
    /** Makes a recording or a picture, after those asked for before. @returns its path */
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
