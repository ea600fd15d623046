import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createKeyedLock } from '../locks/keyed-lock.ts'

/** What one process tells the others. It says what may have changed, never what is true now: that is in the rows. */
export const messageSchema = z.discriminatedUnion('topic', [
  /** What visitors are shown may be different now: told by the database, to whoever wrote it, too. */
  z.object({ topic: z.literal('changes') }),
  /** Open pages of these users are to read again. */
  z.object({
    topic: z.literal('live'),
    userIds: z.array(z.number()),
    about: z.enum(['notifications', 'work']),
  }),
  /** A job may be due. */
  z.object({ topic: z.literal('jobs') }),
  /** The work on a video is to end. */
  z.object({ topic: z.literal('cancel'), videoId: z.number() }),
  /** A worker is given no further jobs; with `takesBack` it loses those that it has, too. */
  z.object({ topic: z.literal('worker'), workerId: z.number(), takesBack: z.boolean() }),
  /** Files of the store are deleted, as by `MediaStore.removePrefix`. */
  z.object({ topic: z.literal('files'), prefix: z.string() }),
])
export type Message = z.infer<typeof messageSchema>

/**
 * What the processes on one database have of each other: a line on which they tell each other what changed, and locks.
 * A database file has one process, whose line leads to nobody.
 */
export type Line = {
  /** Of this process among those on the database; each start has another. Null where it is alone. */
  readonly self: string | null
  /**
   * Tells the other processes; one whose line is down at the moment does not hear of it.
   * @throws when the line of this process is down for longer than a few seconds, or breaks meanwhile: perhaps nobody heard
   */
  tell: (message: Message) => Promise<void>
  /** Calls `listener` for what others tell, from now on. @returns what ends that */
  listen: (listener: (message: Message) => void) => () => void
  /** Calls `listener` when the line is up again after it was down: what was told meanwhile is unknown. */
  listenForGaps: (listener: () => void) => () => void
  isUp: () => boolean
  /**
   * Resolves once all that others had told, or committed, before this call has been heard.
   * @returns false where the line is down
   */
  catchUp: () => Promise<boolean>
  /**
   * Runs work after whatever runs under the same name, in any process. Whoever loses its line loses its locks with it and
   * is not stopped: what is done under a lock has to be sound as rows, too.
   * @throws when the line is down for longer than a few seconds
   */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>
  /** Takes a lock unless somebody has it. @returns what gives it free, or undefined */
  tryLock: (name: string) => Promise<(() => Promise<void>) | undefined>
}

/** The line of a process that has its database for itself. */
export function createOwnLine(): Line {
  const inTurn = createKeyedLock()
  const taken = new Set<string>()
  return {
    self: null,
    tell: async () => {},
    listen: () => () => {},
    listenForGaps: () => () => {},
    isUp: () => true,
    catchUp: async () => true,
    withLock: inTurn,
    async tryLock(name) {
      if (taken.has(name)) return undefined
      taken.add(name)
      return async () => {
        taken.delete(name)
      }
    },
  }
}

const FIRST_LOOK_MS = 10
const LONGEST_LOOK_MS = 250

/**
 * Waits for a lock that can only be tried.
 * @param tryLock as `Line.tryLock`
 */
export async function waitForLock(
  tryLock: () => Promise<(() => Promise<void>) | undefined>,
): Promise<() => Promise<void>> {
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LONGEST_LOOK_MS)) {
    const release = await tryLock()
    if (release) return release
    await pause(wait * (0.5 + Math.random() / 2))
  }
}
