import { useSyncExternalStore } from 'react'
import { deviceStorage, parseObject, tabStorage } from '#client/platform/browser-storage.ts'
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
  ...parseObject(tabStorage.read(SETTINGS_KEY)),
})

export const useQueueSettings = () => useSyncExternalStore(settings.subscribe, settings.get)

export function setQueueSettings(change: Partial<QueueSettings>): void {
  settings.set(change)
  tabStorage.write(SETTINGS_KEY, JSON.stringify(settings.get()))
}

onForgetMember(() => settings.set({ loop: 'off', shuffle: null }))

/** On this device. */
export function placeIn(list: string): Place | undefined {
  const place = parseObject(deviceStorage.read(POSITIONS_KEY))[list] as Place | undefined
  return typeof place?.videoId === 'number' && typeof place.index === 'number' ? place : undefined
}

/** Keeps the most recent lists. */
export function rememberPlace(list: string, place: Place): void {
  const { [list]: _, ...others } = parseObject(deviceStorage.read(POSITIONS_KEY))
  const positions = [...Object.entries(others), [list, place] as const].slice(-POSITIONS_MAX)
  deviceStorage.write(POSITIONS_KEY, JSON.stringify(Object.fromEntries(positions)))
}
