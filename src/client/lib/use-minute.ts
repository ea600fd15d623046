import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, MINUTE_MS)
  return () => clearInterval(timer)
}

const currentMinute = () => Math.floor(Date.now() / MINUTE_MS)

/** Renders the component again once a minute, for times that are told relative to now. */
export function useMinute(): void {
  useSyncExternalStore(subscribe, currentMinute, currentMinute)
}
