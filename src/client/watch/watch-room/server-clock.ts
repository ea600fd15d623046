const FIRST_ASKED = 8
const PAUSE_MS = 60
/** While a page loads, its requests wait for others, so some more follow. */
const SOON_ASKED = 10
const SOON_PAUSE_MS = 1500
const ASKED_AGAIN = 3
const ASK_AGAIN_MS = 60_000
/** Clocks drift: a measurement counts as this much less exact after each minute. */
const AGEING_MS = 20

export type ServerClock = ReturnType<typeof createServerClock>

/** @param ask answers the milliseconds of the server's clock */
export function createServerClock(ask: () => Promise<number>, now = () => performance.now()) {
  let offset: number | undefined
  /** Milliseconds that the best request took. Its half is the most by which the clock is wrong. */
  let best = Number.POSITIVE_INFINITY

  async function measure(): Promise<void> {
    const sentAt = now()
    const serverTime = await ask()
    const tookMs = now() - sentAt
    if (tookMs > best) return
    best = tookMs
    offset = serverTime - sentAt - tookMs / 2
  }

  async function measureSome(
    count: number,
    { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
  ): Promise<void> {
    for (let asked = 0; asked < count && !signal.aborted; asked += 1) {
      await measure().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  return {
    isKnown: () => offset !== undefined,
    now: () => now() + (offset ?? 0),

    /** @returns a function that stops measuring */
    start(): () => void {
      const over = new AbortController()
      const { signal } = over
      const begin = async () => {
        await measureSome(FIRST_ASKED, { pauseMs: PAUSE_MS, signal })
        await measureSome(SOON_ASKED, { pauseMs: SOON_PAUSE_MS, signal })
      }
      void begin()
      const again = () => {
        best += AGEING_MS
        void measureSome(ASKED_AGAIN, { pauseMs: PAUSE_MS, signal })
      }
      const timer = setInterval(again, ASK_AGAIN_MS)
      return () => {
        over.abort()
        clearInterval(timer)
      }
    },
  }
}
