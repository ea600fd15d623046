import type { ParsedLocation } from '@tanstack/react-router'
import { onForgetMember } from '../forget-member.ts'
import type { KeptCard } from './cards.ts'

/** What an entry of the browser's history showed. */
type Place = {
  /** The time when it was shown last, in milliseconds since 1970. */
  at: number
  card?: KeptCard | undefined
  /** The cursors of the pages of its list after the first. */
  cursors?: string[]
}

/** The key in the tab's session storage; `forgetMember` removes it. */
const STORE = 'clutch-places'
const MOST_PLACES = 50
const LONGEST_MS = 24 * 60 * 60 * 1000

let places = readPlaces()

onForgetMember(() => {
  places = {}
})

/** The key that the router uses for the scroll positions that it stores itself. */
export const keyOfPlace = ({ state, href }: ParsedLocation) => state.__TSR_key ?? href

export function findPlace(location: ParsedLocation): Place | undefined {
  const place = places[keyOfPlace(location)]
  return place && Date.now() - place.at < LONGEST_MS ? place : undefined
}

/** Stores what an entry of the history shows for the life of the tab; the least recently shown entries are dropped. */
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
    // Without storage the list starts at its beginning after a reload.
  }
}

function readPlaces(): Record<string, Place> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? '{}')
  } catch {
    return {}
  }
}
