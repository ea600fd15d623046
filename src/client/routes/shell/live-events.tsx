import { useEffect, useRef, useSyncExternalStore } from 'react'
import { connection } from '#client/platform/connection.ts'
import { useConnectionLost } from '#client/platform/use-connection-lost.ts'
import { setWorkIsLive, takeOwnWork } from '#client/platform/video/own-work.ts'
import { trpc } from '#client/trpc.ts'

/** Doubles with each reconnect while the server answers. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** Refetches notifications and own videos. */
export default function LiveEvents() {
  useLiveEvents()
  return null
}

function useLiveEvents(): void {
  const utils = trpc.useUtils()
  const isConnected = useRef(false)
  const isPageShown = useSyncExternalStore(subscribeToVisibility, isVisible)
  const isLost = useConnectionLost()
  // A hidden tab closes its stream, as browsers limit connections per server.
  const { status, reset } = trpc.live.onChange.useSubscription(undefined, {
    enabled: isPageShown && !isLost,
    onData: (event) => {
      if ('work' in event) {
        takeOwnWork(event.work)
        return
      }
      void utils.notification.invalidate()
      // The first event only means that the stream is open; later ones may concern a comment on the page.
      if (isConnected.current) void utils.comment.invalidate()
      isConnected.current = true
    },
  })
  useEffect(() => {
    if (status !== 'pending') setWorkIsLive(false)
  }, [status])
  useEffect(() => () => setWorkIsLive(false), [])
  useReconnect(status, reset)
}

/** Browsers reconnect after up to 5 s, and not at all after a proxy's 502. */
function useReconnect(status: string, reset: () => void): void {
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
