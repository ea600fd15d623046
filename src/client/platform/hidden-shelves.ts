import { useSyncExternalStore } from 'react'
import { deviceStorage } from './browser-storage.ts'
import { createStore } from './store.ts'

/** Titles of shelves that can be hidden. */
export const MEMBER_SHELVES = {
  unfinished: 'Continue watching',
  fresh: 'Since your last visit',
  followed: 'From people you follow',
} as const
export type MemberShelf = keyof typeof MEMBER_SHELVES

const KEY = 'clutch-hidden-shelves'
const store = createStore<{ hidden: readonly string[] }>({
  hidden: (deviceStorage.read(KEY) ?? '').split(' '),
})

/** On this device. */
export const useHiddenShelves = () => useSyncExternalStore(store.subscribe, store.get).hidden

export const isShelfHidden = (shelf: MemberShelf) => store.get().hidden.includes(shelf)

/** Also works after the component is gone, as from a toast. */
export function setShelfHidden(shelf: MemberShelf, isHidden: boolean): void {
  const others = store.get().hidden.filter((each) => each !== shelf)
  const hidden = isHidden ? [...others, shelf] : others
  store.set({ hidden })
  deviceStorage.write(KEY, hidden.join(' '))
}
