import { createStore } from './store.ts'

const HEALTH_PATH = '/api/health'
/** A probe fails after twice this time, so that a slow server does not count as lost. */
const PROBE_LIMIT_MS = 4000
const PAUSE_MS = 1000
/** Jitter, so that not all pages ask a restarted site at once. */
const JITTER_MS = 500
const HIDDEN_PAUSE_MS = 5000
/** Answers of a proxy without its server, or of a server shutting down. */
const AWAY_STATUSES: readonly number[] = [502, 503, 504]

export const isAwayStatus = (status: number) => AWAY_STATUSES.includes(status)

export type Connection = ReturnType<typeof createConnection>

/**
 * Tracks whether the server is reachable. A probe confirms or refutes a failed request; while lost, it probes every
 * 1 to 1.5 s, or 5 s on a hidden page. `navigator.onLine` says nothing about the server.
 * @param options.probe resolves to whether the server answers
 */
export function createConnection({ probe }: { probe: () => Promise<boolean> }) {
  const store = createStore({ isLost: false })
  const backListeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  let underWay: Promise<void> | undefined

  /** Any success counts, but only the latest probe can fail. */
  async function probeOnce(): Promise<void> {
    const own = ++latest
    // The next probe does not wait, as this one may hang after a change of networks.
    if (store.get().isLost) schedule()
    if (await probe()) noteAnswer()
    else if (own === latest) {
      schedule()
      store.set({ isLost: true })
    }
  }

  function schedule(): void {
    clearTimeout(timer)
    const isHidden = typeof document !== 'undefined' && document.visibilityState === 'hidden'
    const pauseMs = (isHidden ? HIDDEN_PAUSE_MS : PAUSE_MS) + Math.random() * JITTER_MS
    timer = setTimeout(probeAgain, pauseMs)
  }

  /** Even while an earlier one is pending. */
  function probeAgain(): Promise<void> {
    const probing = probeOnce().finally(() => {
      if (underWay === probing) underWay = undefined
    })
    underWay = probing
    return probing
  }

  function noteAnswer(): void {
    if (!store.get().isLost) return
    latest++
    clearTimeout(timer)
    store.set({ isLost: false })
    for (const listener of [...backListeners]) listener()
  }

  function onBack(listener: () => void): () => void {
    backListeners.add(listener)
    return () => void backListeners.delete(listener)
  }

  return {
    isLost: () => store.get().isLost,
    subscribe: store.subscribe,
    /** @returns removes the listener */
    onBack,
    noteAnswer,
    probeAgain,

    /** Call after a failure that may be the connection's. @returns resolves once settled */
    doubt: (): Promise<void> => underWay ?? (store.get().isLost ? Promise.resolve() : probeAgain()),

    /** Ends early on reconnection. Rejects with the signal's reason. */
    pause: (milliseconds: number, signal?: AbortSignal): Promise<void> =>
      wait({ onBack, milliseconds, signal }),

    /** Stays pending after the signal aborts. */
    untilLost: (signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const stop = store.subscribe(resolveWhenLost)
        signal?.addEventListener('abort', stop)
        function resolveWhenLost(): void {
          if (!store.get().isLost) return
          stop()
          resolve()
        }
        resolveWhenLost()
      }),

    /** Rejects with the signal's reason. */
    untilBack: async (signal?: AbortSignal): Promise<void> => {
      if (store.get().isLost) await wait({ onBack, signal })
    },
  }
}

type WaitOptions = {
  onBack: (listener: () => void) => () => void
  milliseconds?: number
  signal: AbortSignal | undefined
}

function wait({ onBack, milliseconds, signal }: WaitOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      stopListening()
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds)
    const stopListening = onBack(end)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end)
  })
}

/** The documented health address, which also checks the database. */
async function probeServer(): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const signal = AbortSignal.timeout(PROBE_LIMIT_MS)
      const answer = await fetch(HEALTH_PATH, { method: 'HEAD', cache: 'no-store', signal })
      return answer.status < 500
    } catch (error) {
      // Time limits also expire while the computer sleeps.
      const isOver = error instanceof DOMException && error.name === 'TimeoutError'
      if (!isOver || tries === 2) return false
    }
  }
}

export const connection = createConnection({ probe: probeServer })

/** Probes on browser events, before a request fails. */
export function watchConnection(): void {
  addEventListener('online', () => void connection.probeAgain())
  addEventListener('offline', () => void connection.probeAgain())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && connection.isLost()) void connection.probeAgain()
  })
  // A page in the back/forward cache is frozen.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void connection.probeAgain()
  })
}

export function noteStatus(status: number): void {
  if (isAwayStatus(status)) void connection.doubt()
  else connection.noteAnswer()
}

/** `fetch` that also updates the connection's state. */
export async function siteFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(input, init)
    noteStatus(answer.status)
    return answer
  } catch (error) {
    if (error instanceof TypeError) void connection.doubt()
    throw error
  }
}

/** `fetch` for reads: waits for the connection and repeats. */
export async function siteRead(url: string, signal?: AbortSignal): Promise<Response> {
  for (;;) {
    const answer = await siteFetch(url, { signal: signal ?? null }).catch((error) => {
      if (!(error instanceof TypeError)) throw error
      return error
    })
    if (answer instanceof Response && !isAwayStatus(answer.status)) return answer
    await connection.doubt()
    if (connection.isLost()) await connection.untilBack(signal)
    else if (answer instanceof Response) return answer
    else throw answer
  }
}
