import { useEffect, useSyncExternalStore } from 'react'
import { trpcClient } from '#client/trpc.ts'
import { whenIdle } from '../when-idle.ts'

/** The first request waits this long so that the page loads first. */
const GATHER_MS = 3000
const REFRESH_MS = 60_000
const IDS_MAX = 100

const listeners = new Set<() => void>()
/** Maps a video id to the number of its cards on the page. */
const cards = new Map<number, number>()
let counts: ReadonlyMap<number, number> = new Map()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Returns how many people watch a video, or 0 for fewer than two. All cards of the page share one
 * request, which is sent when the browser is idle.
 */
export function useWatchingCount(id: number): number {
  useEffect(() => {
    cards.set(id, (cards.get(id) ?? 0) + 1)
    if (!counts.has(id)) ask(GATHER_MS)
    return () => {
      const left = (cards.get(id) ?? 1) - 1
      if (left > 0) cards.set(id, left)
      else cards.delete(id)
    }
  }, [id])
  return useSyncExternalStore(subscribe, () => counts.get(id) ?? 0)
}

function ask(afterMs: number): void {
  clearTimeout(timer)
  const own = setTimeout(async () => {
    if (cards.size === 0) {
      // The next card asks again.
      counts = new Map()
      return
    }
    await whenIdle()
    if (document.visibilityState === 'visible') await read().catch(() => undefined)
    // Unless a card that came meanwhile has asked.
    if (timer === own) ask(REFRESH_MS)
  }, afterMs)
  timer = own
}

async function read(): Promise<void> {
  const ids = [...cards.keys()].slice(-IDS_MAX)
  const found = await trpcClient.watching.counts.query({ ids })
  const before = counts
  counts = new Map(ids.map((id) => [id, found.find((one) => one.id === id)?.count ?? 0]))
  if ([...counts].every(([id, count]) => (before.get(id) ?? 0) === count)) return
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
