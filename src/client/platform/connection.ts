import { createStore } from './store.ts'

const HEALTH_PATH = '/api/health'
/** A probe fails when it is not answered within twice this time; a slow server is not a lost one. */
const PROBE_LIMIT_MS = 4000
const PAUSE_MS = 1000
/** Added at random, so that the pages of a site that restarts do not all ask at the same moment. */
const JITTER_MS = 500
const HIDDEN_PAUSE_MS = 5000
/** The answers of a proxy whose server is away, and of a server that is shutting down. */
const AWAY_STATUSES: readonly number[] = [502, 503, 504]

/** Whether an answer with this status says that the server cannot be reached at the moment. */
export const isAwayStatus = (status: number) => AWAY_STATUSES.includes(status)

export type Connection = ReturnType<typeof createConnection>

/**
 * Knows whether the server can be reached. A failed request is a doubt, which a probe settles; from the first probe that
 * fails until one succeeds the connection is lost, and the server is probed every 1 to 1.5 s, or every 5 s while the page is
 * hidden. `navigator.onLine` is not read: it says nothing about the server, and differs between browsers.
 * @param options.probe resolves to whether the server answers
 */
export function createConnection({ probe }: { probe: () => Promise<boolean> }) {
  const store = createStore({ isLost: false })
  const backListeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  let underWay: Promise<void> | undefined

  /** Any probe that succeeds counts, but only the latest one can fail. */
  async function probeOnce(): Promise<void> {
    const own = ++latest
    // The next probe does not wait for this one, which may hang after a change of networks.
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

  /** Starts a probe, also when an earlier one has not been answered yet. */
  function probeAgain(): Promise<void> {
    const probing = probeOnce().finally(() => {
      if (underWay === probing) underWay = undefined
    })
    underWay = probing
    return probing
  }

  /** The server has answered a request. */
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
    /** Calls the listener each time the connection is back. @returns removes it */
    onBack,
    noteAnswer,
    probeAgain,

    /** Call this when something failed that may be due to the connection. @returns resolves when a probe has settled it */
    doubt: (): Promise<void> => underWay ?? (store.get().isLost ? Promise.resolve() : probeAgain()),

    /** Ends early when the connection is back. Rejects with the signal's reason as soon as it aborts. */
    pause: (milliseconds: number, signal?: AbortSignal): Promise<void> =>
      wait({ onBack, milliseconds, signal }),

    /** Resolves when the connection is lost. Stays pending, and stops listening, when the signal aborts. */
    untilLost: (signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const stop = store.subscribe(look)
        signal?.addEventListener('abort', stop)
        function look(): void {
          if (!store.get().isLost) return
          stop()
          resolve()
        }
        look()
      }),

    /** Resolves when the connection is not lost. Rejects with the signal's reason as soon as it aborts. */
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

/** Requests the documented health address, which also fails without a database. */
async function probeServer(): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const signal = AbortSignal.timeout(PROBE_LIMIT_MS)
      const answer = await fetch(HEALTH_PATH, { method: 'HEAD', cache: 'no-store', signal })
      return answer.status < 500
    } catch (error) {
      // Time limits also run out while the computer sleeps.
      const isOver = error instanceof DOMException && error.name === 'TimeoutError'
      if (!isOver || tries === 2) return false
    }
  }
}

/** The connection of this page to its site. */
export const connection = createConnection({ probe: probeServer })

/** Probes when the browser reports a change, so that no request has to fail first. */
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

/** Updates the state of the connection after an answer with this status. */
export function noteStatus(status: number): void {
  if (isAwayStatus(status)) void connection.doubt()
  else connection.noteAnswer()
}

/** As `fetch`; its outcome updates the state of the connection. */
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

/** As `fetch`, for reading: when the connection is lost it waits, and repeats the request. */
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
