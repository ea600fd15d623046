import { useSyncExternalStore } from 'react'
import { SPARING, savesData } from '#client/platform/data-saving.ts'

const CALM = '(prefers-reduced-motion: reduce)'

/** Viewer's preferences. */
export type Manners = {
  /** Reduced motion. */
  isCalm: boolean
  /** Reduced data. */
  isSparing: boolean
}

export function useManners(): Manners {
  return {
    isCalm: useSyncExternalStore(mediaListener(CALM), () => matchMedia(CALM).matches),
    isSparing: useSyncExternalStore(mediaListener(SPARING), savesData),
  }
}

/** False in a background tab. */
export function usePageSeen(): boolean {
  return useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
}

const listeners = new Map<string, (listener: () => void) => () => void>()

/** Stable per query, so that React does not resubscribe. */
function mediaListener(text: string) {
  const known = listeners.get(text)
  if (known) return known
  const query = matchMedia(text)
  const listen = (listener: () => void) => {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  listeners.set(text, listen)
  return listen
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
