import { type CardKeys, type FoundCard, findCard } from './find-card.ts'

/** A card, and where it was in the window. */
export type KeptCard = CardKeys & {
  /** Pixels from the window's top. */
  top: number
  /** Places of `keys`; missing in entries of earlier versions. */
  tops?: number[]
  windowHeight: number
  /** Cards on the page. */
  count: number
  /** For a page without cards, or when the card and its neighbours are gone. */
  scrollY: number
}

/** Entries of any list. */
const ENTRY = ':is(article, li, tbody tr)'
/** New cards allowed above it. */
const PUSHED = 60
const NEXT = 8
const PREVIOUS = 4
/** Pixels between probed points; cards are higher. */
const STEP = 32
/** Fractions of the page's width. */
const COLUMNS = [0.05, 0.5, 0.95]
/** Distinguishes entries without a link. */
const KEY_CHARACTERS = 60

/**
 * The pressed card if visible, else the uppermost. Without keys on a page without cards; undefined
 * at the top of a page.
 */
export function captureCard(pressed: Element | undefined): KeptCard | undefined {
  if (scrollY < 1) return undefined
  const cards = listCards()
  const card = pressed && isInView(pressed) && isCard(pressed) ? pressed : uppermostCard()
  const at = card ? cards.indexOf(card) : -1
  const first = Math.max(0, at - PREVIOUS)
  const kept = at < 0 ? [] : cards.slice(first, at + NEXT + 1)
  return {
    keys: kept.map(keyOf),
    tops: kept.map(topOf),
    index: at - first,
    top: card ? topOf(card) : 0,
    windowHeight: innerHeight,
    count: cards.length,
    scrollY,
  }
}

export type LocatedCard = {
  card: Element
  kind: FoundCard['kind']
  /** Wanted distance from the window's top, in pixels. */
  top: number
}

/**
 * Falls back to a neighbour: in the place of a missing card, or in its own place if the card has moved.
 */
export function locateCard(kept: KeptCard): LocatedCard | undefined {
  const cards = listCards()
  const found = findCard(cards.map(keyOf), kept)
  const card = found && cards[found.at]
  if (!card) return undefined
  const top = found.hasMoved ? (kept.tops?.[found.index] ?? kept.top) : kept.top
  // Adapts to the window's size.
  return { card, kind: found.kind, top: (top * innerHeight) / kept.windowHeight }
}

/**
 * The card may be on a later page of the list: fewer cards than before, or new ones pushed it down.
 */
export const mayStillCome = ({ keys, count }: KeptCard): boolean =>
  keys.length > 0 && listCards().length < count + PUSHED

export function cardAround(element: Element): Element | undefined {
  const card = element.closest(`main ${ENTRY}`)
  return card && isCard(card) ? card : undefined
}

/** Entries that contain others, such as comments with replies, do not count. */
const listCards = () => [...document.querySelectorAll(`main ${ENTRY}`)].filter(isInnermost)

const isInnermost = (entry: Element) => entry.querySelector(ENTRY) === null

const isCard = (entry: Element) => entry.isConnected && isInnermost(entry) && scrollsWithPage(entry)

/** False for sticky and fixed elements, and inside scrolling boxes. */
function scrollsWithPage(element: Element): boolean {
  for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
    const { position, overflowY } = getComputedStyle(box)
    if (position === 'sticky' || position === 'fixed') return false
    const isScroller = overflowY === 'auto' || overflowY === 'scroll'
    if (isScroller && box.scrollHeight > box.clientHeight + 1) return false
  }
  return true
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/** First one that starts in the window, else the one across its top. */
function uppermostCard(): Element | undefined {
  const page = document.querySelector('main')?.getBoundingClientRect()
  if (!page) return undefined
  let crossing: Element | undefined
  for (let y = STEP; y < innerHeight; y += STEP) {
    for (const column of COLUMNS) {
      const card = cardAt(page.left + column * page.width, y)
      if (card && card.getBoundingClientRect().top >= 0) return card
      crossing ??= card
    }
  }
  return crossing
}

function cardAt(x: number, y: number): Element | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const card = cardAround(element)
    if (card) return card
  }
  return undefined
}

const topOf = (card: Element) => card.getBoundingClientRect().top

/** Hashed, to be short and private. */
function keyOf(card: Element): string {
  const link = card.querySelector(':is(h1, h2, h3, h4) a[href]')?.getAttribute('href')
  const other = () => card.querySelector('a[href]')?.getAttribute('href') ?? ''
  const words = () => `${other()} ${card.textContent?.slice(0, KEY_CHARACTERS)}`
  return hashOf(link ?? (card.id || words()))
}

function hashOf(text: string): string {
  let hash = 5381
  for (let at = 0; at < text.length; at++) hash = ((hash * 33) ^ text.charCodeAt(at)) >>> 0
  return hash.toString(36)
}
