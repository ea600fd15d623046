import { useEffect, useRef, useSyncExternalStore } from 'react'
import { setWorkIsLive, takeOwnWork } from '#client/platform/video/own-work.ts'
import { trpc } from '#client/trpc.ts'

/** Hears what changes for the member and hands it on: to the list of notifications and to one's own videos. */
export default function LiveEvents() {
  useLiveEvents()
  return null
}

function useLiveEvents(): void {
  const utils = trpc.useUtils()
  const isConnected = useRef(false)
  const isPageShown = useSyncExternalStore(subscribeToVisibility, isVisible)
  // A hidden tab lets go of its line: browsers have few to one server.
  const { status } = trpc.live.onChange.useSubscription(undefined, {
    enabled: isPageShown,
    onData: (event) => {
      if ('work' in event) {
        takeOwnWork(event.work)
        return
      }
      void utils.notification.list.invalidate()
      // Later ones may be about a comment on the page that is open; the first comes with the connection.
      if (isConnected.current) void utils.comment.invalidate()
      isConnected.current = true
    },
  })
  useEffect(() => {
    if (status !== 'pending') setWorkIsLive(false)
  }, [status])
  useEffect(() => () => setWorkIsLive(false), [])
}

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

const isVisible = () => document.visibilityState === 'visible'
