import type { ParsedLocation } from '@tanstack/react-router'
import { parseObject, tabStorage } from '../browser-storage.ts'
import { onForgetMember } from '../forget-member.ts'
import type { KeptCard } from './cards.ts'

/** Per history entry. */
type Place = {
  /** Last shown, in ms since 1970. */
  at: number
  card?: KeptCard | undefined
  /** Cursors after the first page. */
  cursors?: string[]
}

/** Session storage; `forgetMember` deletes it. */
const STORE = 'clutch-places'
const MOST_PLACES = 50
const LONGEST_MS = 24 * 60 * 60 * 1000

let places = parseObject(tabStorage.read(STORE)) as Record<string, Place>

onForgetMember(() => {
  places = {}
})

/** As in the router's scroll restoration. */
export const keyOfPlace = ({ state, href }: ParsedLocation) => state.__TSR_key ?? href

export function findPlace(location: ParsedLocation): Place | undefined {
  const place = places[keyOfPlace(location)]
  return place && Date.now() - place.at < LONGEST_MS ? place : undefined
}

/** For the life of the tab; drops the oldest entries. */
export function keepPlace(location: ParsedLocation, change: Partial<Place>): void {
  const key = keyOfPlace(location)
  const { [key]: known, ...others } = places
  const recent = Object.entries(others)
    .toSorted(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_PLACES - 1)
  places = { ...Object.fromEntries(recent), [key]: { ...known, ...change, at: Date.now() } }
  tabStorage.write(STORE, JSON.stringify(places))
}
