import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'
import { onForgetMember } from '../forget-member.ts'
import { captureCard, cardAround, type KeptCard } from './cards.ts'
import { heldCard, holdPlace, placeHeldCard, releasePlace } from './hold-place.ts'
import { findPlace, keepPlace, keyOfPlace } from './kept-places.ts'

/** After the last scroll event. */
const REST_MS = 150

/**
 * Restores the scroll position of a page when its history entry is shown again or the width of the window changes. It keeps
 * a card that was in view and its place in the window, not a number of pixels: cards above it come and go, and a reloaded
 * page is shorter at first. The router's own restoration runs before. See docs/decisions/0066-the-place-in-a-list.md.
 */
export function keepPlaces(router: AnyRouter): void {
  let shownKey: string | undefined
  /** False while the drawn page may not belong to the entry: it is being left, or its member has signed out. */
  let isShown = false
  let pressed: Element | undefined
  /** The card when the page was last at rest. */
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
    if (resting) holdPlace(resting)
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
  // WebKit shows a page from the back/forward cache at its beginning.
  addEventListener('pageshow', ({ persisted }) => {
    const shown = router.stores.resolvedLocation.get()
    const card = shown && findPlace(shown)?.card
    if (persisted && card) holdPlace(card)
  })
  onRest(() => {
    resting = capture()
  })
  onOtherWidth(() => {
    if (heldCard()) placeHeldCard()
    else if (resting && resting.keys.length > 0 && scrollY >= 1) holdPlace(resting)
  })
}

/** Calls back with the card that was pressed; ignores the button that `holdPlace` presses itself. */
function onPress(act: (card: Element | undefined) => void): void {
  const press = ({ target }: Event) => {
    if (target instanceof Element && !target.closest('[data-more]')) act(cardAround(target))
  }
  addEventListener('click', press, { capture: true })
}

function onLeave(act: () => void): void {
  addEventListener('pagehide', act)
  // On phones this may be the last event of a page.
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
  // After this event the page already has the new width.
  addEventListener('resize', () => clearTimeout(timer))
}

/** Ignores changes of the height alone, which phones make with their bars, and videos in full screen. */
function onOtherWidth(act: () => void): void {
  let width = innerWidth
  addEventListener('resize', () => {
    if (innerWidth === width || document.fullscreenElement) return
    width = innerWidth
    act()
  })
}
