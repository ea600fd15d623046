import type { ParsedLocation } from '@tanstack/react-router'
import { onForgetMember } from '../forget-member.ts'
import type { KeptCard } from './cards.ts'

/** What an entry of the browser's history has shown. */
type Place = {
  /** When it was shown last, in milliseconds since 1970. */
  at: number
  card?: KeptCard | undefined
  /** Those of the pages of its list after the first. */
  cursors?: string[]
}

/** In the storage of the tab; `forgetMember` removes it. */
const STORE = 'clutch-places'
const MOST_PLACES = 50
const LONGEST_MS = 24 * 60 * 60 * 1000

let places = readPlaces()

onForgetMember(() => {
  places = {}
})

/** As the router keys the places that it remembers itself. */
export const keyOfPlace = ({ state, href }: ParsedLocation) => state.__TSR_key ?? href

export function findPlace(location: ParsedLocation): Place | undefined {
  const place = places[keyOfPlace(location)]
  return place && Date.now() - place.at < LONGEST_MS ? place : undefined
}

/** Remembers, as long as the tab lives, what an entry of the history shows; the longest unseen ones are dropped. */
export function keepPlace(location: ParsedLocation, change: Partial<Place>): void {
  const key = keyOfPlace(location)
  const { [key]: known, ...others } = places
  const recent = Object.entries(others)
    .toSorted(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_PLACES - 1)
  places = { ...Object.fromEntries(recent), [key]: { ...known, ...change, at: Date.now() } }
  try {
    sessionStorage.setItem(STORE, JSON.stringify(places))
  } catch {
    // Without storage the list begins again after a reload.
  }
}

function readPlaces(): Record<string, Place> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '{}')
  } catch {
    return {}
  }
}
