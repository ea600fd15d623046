import { type KeptCard, type LocatedCard, locateCard, mayStillCome } from './cards.ts'

/** Later content no longer moves the page. */
const LONGEST_MS = 30_000
/** Browsers round to device pixels. */
const LEAST_PX = 0.1
const ACTIONS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
/** Button for the next page of a list. */
const MORE = 'main [data-more]'

type Hold = { card: KeptCard; place: () => void; release: () => void }

let current: Hold | undefined

/** Until the user acts. */
export const heldCard = (): KeptCard | undefined => current?.card

/** After a resize. */
export const placeHeldCard = (): void => current?.place()

export const releasePlace = (): void => current?.release()

/** Scrolls a card to its old place and keeps it there during loading, until the user acts. */
export function keepScrolledTo(card: KeptCard): void {
  releasePlace()
  const stop = new AbortController()
  const { signal } = stop
  let found: LocatedCard | undefined
  let hasChanged = true
  let placedY = scrollY

  const place = () => {
    if (hasChanged || !found?.card.isConnected) found = locateCard(card)
    hasChanged = false
    scrollToCard(found, card)
    placedY = scrollY
    const isKnown = found?.kind === 'same' || found?.kind === 'next'
    if (!isKnown && mayStillCome(card)) loadMore()
  }
  const placeSoon = oncePerFrame(() => !signal.aborted && place())
  const mutations = new MutationObserver(() => {
    hasChanged = true
    placeSoon()
  })
  const sizes = new ResizeObserver(place)
  const release = () => {
    stop.abort()
    mutations.disconnect()
    sizes.disconnect()
    clearTimeout(timer)
    current = undefined
  }
  const timer = setTimeout(release, LONGEST_MS)
  // Dragging a scroll bar fires scroll events only.
  const releaseIfScrolled = () => {
    if (!hasChanged && Math.abs(scrollY - placedY) > 1) release()
  }
  current = { card, place, release }
  for (const action of ACTIONS) addEventListener(action, release, { signal, capture: true })
  addEventListener('scroll', releaseIfScrolled, { signal })
  mutations.observe(document.body, { childList: true, subtree: true })
  sizes.observe(document.body)
  place()
}

function scrollToCard(found: LocatedCard | undefined, kept: KeptCard): void {
  const change = found ? found.card.getBoundingClientRect().top - found.top : kept.scrollY - scrollY
  if (Math.abs(change) >= LEAST_PX) scrollBy({ top: change, behavior: 'instant' })
}

/** There is no button during loading. */
function loadMore(): void {
  document.querySelector<HTMLElement>(MORE)?.click()
}

function oncePerFrame(act: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      act()
    })
  }
}
