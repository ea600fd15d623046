import { useSyncExternalStore } from 'react'

/** Titles of shelves that can be hidden. */
export const MEMBER_SHELVES = {
  unfinished: 'Continue watching',
  followed: 'From people you follow',
} as const
export type MemberShelf = keyof typeof MEMBER_SHELVES

const KEY = 'clutch-hidden-shelves'
const listeners = new Set<() => void>()
let hidden = read()

/** On this device. */
export function useHiddenShelves(): readonly string[] {
  return useSyncExternalStore(subscribe, () => hidden)
}

/** Also works after the component is gone, as from a toast. */
export function setShelfHidden(shelf: MemberShelf, isHidden: boolean): void {
  hidden = [...hidden.filter((each) => each !== shelf), ...(isHidden ? [shelf] : [])]
  try {
    localStorage.setItem(KEY, hidden.join(' '))
  } catch {
    // Without storage it lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): readonly string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split(' ')
  } catch {
    return []
  }
}
