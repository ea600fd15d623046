import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'
import { onForgetMember } from '../forget-member.ts'
import { captureCard, cardAround, type KeptCard } from './cards.ts'
import { heldCard, keepScrolledTo, placeHeldCard, releasePlace } from './hold-place.ts'
import { findPlace, keepPlace, keyOfPlace } from './kept-places.ts'

/** After the last scroll event. */
const REST_MS = 150

/**
 * Restores scroll positions on history navigation and resize, by a visible card instead of pixels:
 * cards come and go, and reloaded pages are shorter at first. Runs after the router's restoration.
 * See docs/decisions/0066-the-place-in-a-list.md.
 */
export function keepPlaces(router: AnyRouter): void {
  let shownKey: string | undefined
  /** False while the page may not match the entry: during navigation, or after sign-out. */
  let isShown = false
  let pressed: Element | undefined
  let resting: KeptCard | undefined

  const capture = () => heldCard() ?? captureCard(pressed)
  const save = (location: ParsedLocation | undefined) => {
    if (isShown && location) keepPlace(location, { card: capture() })
  }
  const saveShown = () => save(router.stores.resolvedLocation.get())

  router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
    if (!fromLocation || keyOfPlace(fromLocation) === keyOfPlace(toLocation)) return
    save(fromLocation)
    isShown = false
    releasePlace()
  })
  router.subscribe('onRendered', ({ toLocation }) => {
    isShown = true
    const key = keyOfPlace(toLocation)
    if (key === shownKey) return
    shownKey = key
    pressed = undefined
    resting = findPlace(toLocation)?.card
    if (resting) keepScrolledTo(resting)
  })
  onForgetMember(() => {
    isShown = false
    resting = undefined
    releasePlace()
  })
  onPress((card) => {
    releasePlace()
    pressed = card
  })
  onLeave(saveShown)
  // WebKit restores cached pages at their top.
  addEventListener('pageshow', ({ persisted }) => {
    const shown = router.stores.resolvedLocation.get()
    const card = shown && findPlace(shown)?.card
    if (persisted && card) keepScrolledTo(card)
  })
  onRest(() => {
    resting = capture()
  })
  onOtherWidth(() => {
    if (heldCard()) placeHeldCard()
    else if (resting && resting.keys.length > 0 && scrollY >= 1) keepScrolledTo(resting)
  })
}

/** Ignores the button pressed by `keepScrolledTo`. */
function onPress(act: (card: Element | undefined) => void): void {
  const press = ({ target }: Event) => {
    if (target instanceof Element && !target.closest('[data-more]')) act(cardAround(target))
  }
  addEventListener('click', press, { capture: true })
}

function onLeave(act: () => void): void {
  addEventListener('pagehide', act)
  // On phones possibly the last event.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) act()
  })
}

function onRest(act: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('scroll', () => {
    clearTimeout(timer)
    timer = setTimeout(act, REST_MS)
  })
  // The page already has the new width.
  addEventListener('resize', () => clearTimeout(timer))
}

/** Ignores changes of height only (phones' bars) and full screen videos. */
function onOtherWidth(act: () => void): void {
  let width = innerWidth
  addEventListener('resize', () => {
    if (innerWidth === width || document.fullscreenElement) return
    width = innerWidth
    act()
  })
}
