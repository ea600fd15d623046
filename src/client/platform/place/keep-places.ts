import type { AnyRouter, ParsedLocation } from '@tanstack/react-router'
import { onForgetMember } from '../forget-member.ts'
import { captureCard, cardAround, type KeptCard } from './cards.ts'
import { heldCard, holdPlace, placeHeldCard, releasePlace } from './hold-place.ts'
import { findPlace, keepPlace, keyOfPlace } from './kept-places.ts'

/** After the last scroll event. */
const REST_MS = 150

/**
 * Brings a page back to where it was scrolled to, when its entry of the history is shown again or the window changes its
 * width. What is kept is a card that was in view and its place in the window, not the number of pixels: cards above it come
 * and go, and a page that was loaded again is shorter at first. The router's own restoration goes before, and is all there
 * is for pages without cards. See docs/decisions/0066-the-place-in-a-list.md.
 */
export function keepPlaces(router: AnyRouter): void {
  let shownKey: string | undefined
  /** False while what is drawn need not be what the entry shows: it is being left, or its member has signed out. */
  let isShown = false
  let pressed: Element | undefined
  /** Where the page came to rest. */
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
  // WebKit shows a page that it had kept whole at its beginning.
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

/** Tells the card that was pressed; nothing of a button that the page presses itself. */
function onPress(tell: (card: Element | undefined) => void): void {
  const press = ({ target }: Event) => {
    if (target instanceof Element && !target.closest('[data-more]')) tell(cardAround(target))
  }
  addEventListener('click', press, { capture: true })
}

function onLeave(act: () => void): void {
  addEventListener('pagehide', act)
  // The last that a page hears on a phone.
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
  // What is measured between the two would be of the new width.
  addEventListener('resize', () => clearTimeout(timer))
}

/** Not told of a height alone, which changes with the bars of a phone, nor of a video that fills the screen. */
function onOtherWidth(act: () => void): void {
  let width = innerWidth
  addEventListener('resize', () => {
    if (innerWidth === width || document.fullscreenElement) return
    width = innerWidth
    act()
  })
}
