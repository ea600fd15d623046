import { useSyncExternalStore } from 'react'
import { onForgetMember } from '#client/platform/forget-member.ts'
import { createStore } from '#client/platform/store.ts'
import type { Loop, Place, Shuffle } from './queue-order.ts'

type QueueSettings = { loop: Loop; shuffle: Shuffle | null }

const SETTINGS_KEY = 'clutch-queue-settings'
const POSITIONS_KEY = 'clutch-queue-places'
const POSITIONS_MAX = 50

/** Per tab. */
const settings = createStore<QueueSettings>({
  loop: 'off',
  shuffle: null,
  ...readObject(() => sessionStorage.getItem(SETTINGS_KEY)),
})

export const useQueueSettings = () => useSyncExternalStore(settings.subscribe, settings.get)

export function setQueueSettings(change: Partial<QueueSettings>): void {
  settings.set(change)
  store(() => sessionStorage.setItem(SETTINGS_KEY, JSON.stringify(settings.get())))
}

onForgetMember(() => settings.set({ loop: 'off', shuffle: null }))

/** On this device. */
export function placeIn(list: string): Place | undefined {
  const place = readObject(() => localStorage.getItem(POSITIONS_KEY))[list] as Place | undefined
  return typeof place?.videoId === 'number' && typeof place.index === 'number' ? place : undefined
}

/** Keeps the most recent lists. */
export function rememberPlace(list: string, place: Place): void {
  const { [list]: _, ...others } = readObject(() => localStorage.getItem(POSITIONS_KEY))
  const positions = [...Object.entries(others), [list, place] as const].slice(-POSITIONS_MAX)
  store(() => localStorage.setItem(POSITIONS_KEY, JSON.stringify(Object.fromEntries(positions))))
}

export function readObject(read: () => string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(read() ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Without storage it lasts as long as the page. */
export function store(write: () => void): void {
  try {
    write()
  } catch {
    // Full, or forbidden.
  }
}
