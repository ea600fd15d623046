import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

/** Shared, because a long list has hundreds of times. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  timer ??= setInterval(tick, MINUTE_MS)
  return () => {
    listeners.delete(onChange)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  for (const listener of listeners) listener()
}

const currentMinute = () => Math.floor(Date.now() / MINUTE_MS)

/** Renders again every minute, for relative times. */
export function useMinute(): void {
  useSyncExternalStore(subscribe, currentMinute, currentMinute)
}
