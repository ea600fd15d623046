import { setTimeout as pause } from 'node:timers/promises'

/** Without an answer the session counts as lost. */
export const ANSWER_MS = 3000
/** Of keep-alive queries. */
const POLL_MS = 2000
/** After this silence the server ends a session and releases its locks. */
const SILENT_MS = 8000
export const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000
const WAIT_MS = 5000

type Rows = { rows: Record<string, unknown>[] }

export type SessionClient = {
  connect: () => Promise<unknown>
  query: (text: string, values?: unknown[]) => Promise<Rows>
  end: () => Promise<void>
  on: (event: 'error' | 'end', listener: () => void) => unknown
}

export type Session = { query: (text: string, values?: unknown[]) => Promise<Rows> }

/** Reconnects until closed; for NOTIFY, LISTEN and advisory locks. */
export type LastingSession = {
  /** Idempotent. */
  open: () => void
  current: () => Session | undefined
  /** @throws after 5 s without a session */
  require: () => Promise<Session>
  onReconnect: (listener: () => void) => () => void
  close: () => Promise<void>
}

/**
 * @param createClient may throw: it reads certificates
 * @param prepare of each new session
 */
export function createLastingSession(
  createClient: () => SessionClient,
  prepare: (session: Session) => Promise<unknown>,
): LastingSession {
  const reconnectListeners = new Set<() => void>()
  const closing = new AbortController()
  let session: Session | undefined
  let loop: Promise<void> | undefined
  let arrival = Promise.withResolvers<void>()

  async function keepConnected(): Promise<void> {
    let wasUp = false
    for (let wait = FIRST_PAUSE_MS; !closing.signal.aborted; ) {
      let client: SessionClient | undefined
      try {
        client = createClient()
        const opened: Session = { query: queryInOrder(client) }
        const lost = findEnd(client)
        await client.connect()
        await opened.query(`SET idle_session_timeout = ${SILENT_MS}`)
        await prepare(opened)
        session = opened
        arrival.resolve()
        if (wasUp) for (const listener of reconnectListeners) listener()
        wasUp = true
        wait = FIRST_PAUSE_MS
        await keepAlive(opened, lost)
      } catch {}
      if (session) arrival = Promise.withResolvers<void>()
      session = undefined
      await client?.end().catch(() => {})
      await pause(wait, undefined, { signal: closing.signal }).catch(() => {})
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
    }
  }

  async function keepAlive({ query }: Session, lost: Promise<void>): Promise<void> {
    let isLost = false
    const ended = lost.then(() => {
      isLost = true
    })
    const closed = new Promise<void>((resolve) => {
      closing.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    while (!isLost && !closing.signal.aborted) {
      await query('SELECT 1')
      await Promise.race([ended, closed, pause(POLL_MS, undefined, { ref: false })])
    }
  }

  function open(): void {
    loop ??= keepConnected()
  }

  return {
    open,
    current: () => session,

    async require() {
      open()
      if (!session) await Promise.race([arrival.promise, pause(WAIT_MS, undefined, { ref: false })])
      if (!session) throw new Error('Connection terminated: the message bus is disconnected.')
      return session
    },

    onReconnect(listener) {
      reconnectListeners.add(listener)
      return () => reconnectListeners.delete(listener)
    },

    async close() {
      closing.abort()
      await loop
    },
  }
}

function findEnd(client: SessionClient): Promise<void> {
  return new Promise((resolve) => {
    client.on('error', () => resolve())
    client.on('end', () => resolve())
  })
}

/** `pg` expects one statement at a time. */
function queryInOrder(client: SessionClient): Session['query'] {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values) => {
    const answer = last.then(() => client.query(text, values))
    last = answer.catch(() => {})
    return answer
  }
}
