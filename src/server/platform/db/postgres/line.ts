import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createKeyedLock } from '../../locks/keyed-lock.ts'
import { type Line, type Message, messageSchema, waitForLock } from '../line.ts'
import { createClient } from './connection.ts'
import { isAway } from './errors.ts'

const CHANNEL = 'clutch'
/** A line that does not answer so long is taken for cut. */
const ANSWER_MS = 3000
/** How often it is asked whether it is there, when nobody else asks. */
const LOOK_MS = 2000
/** The server ends a session that does not even ask that: what a process had locked that is cut off is free again. */
const SILENT_MS = 8000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000
/** How long a lock waits for a line that is down. */
const WAIT_MS = 5000
/** PostgreSQL carries messages of up to 8000 bytes. */
const USERS_AT_ONCE = 500

/** What is sent: who tells it, too, where that one is not to hear it. */
type Sent = Message & { from?: string }

type Session = { ask: (text: string, values?: unknown[]) => Promise<pg.QueryResult> }

export type PostgresLine = Line & { close: () => Promise<void> }

/**
 * A session of its own on a server, for NOTIFY, LISTEN and advisory locks. It begins when it is first needed, and again
 * whenever it was lost, until it is closed.
 * @param url a server itself, or a pooler that keeps sessions
 */
export function createPostgresLine(url: string): PostgresLine {
  const self = randomBytes(8).toString('hex')
  const listeners = new Set<(message: Message) => void>()
  const gapListeners = new Set<() => void>()
  const inTurn = createKeyedLock()
  const taken = new Set<string>()
  const closing = new AbortController()
  let session: Session | undefined
  let keeping: Promise<void> | undefined
  let arrival = Promise.withResolvers<void>()
  /** The question that all wait for who come while one is under way: it may have been asked too early for them. */
  let next: Promise<boolean> | undefined
  let asking: Promise<unknown> = Promise.resolve()

  function keep(): void {
    keeping ??= keepSession()
  }

  async function keepSession(): Promise<void> {
    let wasUp = false
    for (let wait = FIRST_PAUSE_MS; !closing.signal.aborted; ) {
      let client: pg.Client | undefined
      try {
        // It reads files of certificates, too.
        client = createClient(url, { answerMs: ANSWER_MS })
        const opened: Session = { ask: askInOrder(client) }
        const lost = findEnd(client)
        client.on('notification', ({ payload }) => hear(payload))
        await client.connect()
        await opened.ask(`SET idle_session_timeout = ${SILENT_MS}`)
        await opened.ask(`LISTEN ${CHANNEL}`)
        session = opened
        arrival.resolve()
        if (wasUp) for (const listener of gapListeners) listener()
        wasUp = true
        wait = FIRST_PAUSE_MS
        await watch(opened, lost)
      } catch {}
      if (session) arrival = Promise.withResolvers<void>()
      session = undefined
      await client?.end().catch(() => {})
      await pause(wait, undefined, { signal: closing.signal }).catch(() => {})
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
    }
  }

  /** Ends when the session does, whether somebody said so or not. */
  async function watch({ ask }: Session, lost: Promise<void>): Promise<void> {
    let isLost = false
    const ended = lost.then(() => {
      isLost = true
    })
    const closed = new Promise<void>((resolve) => {
      closing.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    while (!isLost && !closing.signal.aborted) {
      await ask('SELECT 1')
      await Promise.race([ended, closed, pause(LOOK_MS, undefined, { ref: false })])
    }
  }

  function hear(payload = ''): void {
    const sent = readSent(payload)
    if (!sent) {
      process.emitWarning(`No node of this version says this on the channel ${CHANNEL}: ${payload}`)
    } else if (sent.from !== self) for (const listener of listeners) listener(sent.message)
  }

  async function requireSession(): Promise<Session> {
    keep()
    if (!session) await Promise.race([arrival.promise, pause(WAIT_MS, undefined, { ref: false })])
    if (!session) throw new Error('Connection terminated: the line to the database is down.')
    return session
  }

  async function tryLock(name: string): Promise<(() => Promise<void>) | undefined> {
    // A session may take a lock that it has once more.
    if (taken.has(name)) return undefined
    taken.add(name)
    let holder: Session | undefined
    const key = lockNumber(name)
    try {
      const asked = await requireSession()
      const { rows } = await asked.ask('SELECT pg_try_advisory_lock($1::bigint) AS "isFree"', [key])
      if (rows[0]?.isFree) holder = asked
    } finally {
      if (!holder) taken.delete(name)
    }
    if (!holder) return undefined
    const { ask } = holder
    return async () => {
      // Of a session that is gone it is free already.
      await ask('SELECT pg_advisory_unlock($1::bigint)', [key]).catch(() => {})
      taken.delete(name)
    }
  }

  return {
    self,

    async tell(message) {
      const { ask } = await requireSession()
      for (const part of divide(message)) {
        const sent: Sent = part.topic === 'changes' ? part : { ...part, from: self }
        await ask('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(sent)])
      }
    },

    listen(listener) {
      keep()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    listenForGaps(listener) {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },

    isUp: () => session !== undefined,

    catchUp() {
      next ??= asking.then(async () => {
        next = undefined
        const asked = session
        const answer = asked?.ask('SELECT 1').then(
          () => asked === session,
          () => false,
        )
        asking = answer ?? Promise.resolve()
        return answer ?? false
      })
      return next
    },

    withLock: (name, work) =>
      inTurn(name, async () => {
        const wait = () => waitForLock(() => tryLock(name))
        const release = await wait().catch((error) => {
          // The session may have ended while it waited; the next one is there in a moment.
          if (isAway(error)) return pause(FIRST_PAUSE_MS).then(wait)
          throw error
        })
        try {
          return await work()
        } finally {
          await release()
        }
      }),

    tryLock,

    async close() {
      closing.abort()
      await keeping
    },
  }
}

function findEnd(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })
}

/** A client of pg answers one statement after the other, and is not asked the next before. */
function askInOrder(client: pg.Client): Session['ask'] {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values) => {
    const answer = last.then(() => client.query(text, values))
    last = answer.catch(() => {})
    return answer
  }
}

/** @returns undefined for what somebody else than a node says */
function readSent(payload: string): { from: unknown; message: Message } | undefined {
  try {
    const sent = JSON.parse(payload)
    return { from: sent.from, message: messageSchema.parse(sent) }
  } catch {
    return undefined
  }
}

/** A message in parts that are short enough to be carried. */
function divide(message: Message): Message[] {
  if (message.topic !== 'live') return [message]
  const { userIds, ...rest } = message
  const count = Math.ceil(userIds.length / USERS_AT_ONCE)
  return Array.from({ length: count }, (_, part) => ({
    ...rest,
    userIds: userIds.slice(part * USERS_AT_ONCE, (part + 1) * USERS_AT_ONCE),
  }))
}

/** An advisory lock has a number of 64 bits; that two names share one is not to be expected. */
export function lockNumber(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString()
}
