import { useEffect, useRef, useSyncExternalStore } from 'react'
import { connection } from './connection.ts'
import { useConnectionLost } from './use-connection-lost.ts'

/** The pause doubles with each attempt to reconnect while the server answers. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** Returns false for a hidden tab, because browsers limit the connections per server. */
export function useMayStream(): boolean {
  const isPageShown = useSyncExternalStore(subscribeToVisibility, isVisible)
  return !useConnectionLost() && isPageShown
}

/** Reconnects a stream that failed. Browsers wait up to 5 s, and give up after a 502 of a proxy. */
export function useReconnect(status: string, reset: () => void): void {
  const failures = useRef(0)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (status === 'pending') {
      failures.current = 0
      wasOpen.current = true
    }
    if (status !== 'connecting' && status !== 'error') return
    if (wasOpen.current || status === 'error') void connection.doubt()
    wasOpen.current = false
    const over = new AbortController()
    const reconnect = async () => {
      for (;;) {
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures.current, LONGEST_PAUSE_MS)
        await connection.pause(pauseMs, over.signal)
        failures.current += 1
        void connection.doubt()
        reset()
      }
    }
    void reconnect().catch(() => undefined)
    return () => over.abort()
  }, [status, reset])
}

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

const isVisible = () => document.visibilityState === 'visible'

let livePages = 0

/**
 * Marks the page as one that receives news of its comments from its own stream.
 * @returns a function that removes the mark
 */
export function notePageIsLive(): () => void {
  livePages += 1
  return () => {
    livePages -= 1
  }
}

export const isPageLive = () => livePages > 0

/**
 * For lists whose news a live page announces. A refetch would let them in, and move what is being
 * read.
 */
export const STILL_WHILE_LIVE = {
  refetchOnWindowFocus: () => !isPageLive(),
  refetchOnReconnect: () => !isPageLive(),
}
