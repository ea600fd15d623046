import { type CardKeys, type FoundCard, findCard } from './find-card.ts'

/** A card and its place in the window, where it is to be shown again. */
export type KeptCard = CardKeys & {
  /** Pixels from the upper edge of the window to that of the card. */
  top: number
  windowHeight: number
  /** The number of cards on the page. */
  count: number
  /** For a page without cards, and when neither the card nor a neighbour is left. */
  scrollY: number
}

/** Matches an entry of any list. */
const ENTRY = ':is(article, li, tbody tr)'
/** The number of new cards above it that are allowed for. */
const PUSHED = 60
const NEXT = 8
const PREVIOUS = 4
/** Pixels between the points where a card is looked for; any card is higher. */
const STEP = 32
/** The horizontal positions of these points, as parts of the page's width. */
const COLUMNS = [0.05, 0.5, 0.95]
/** Enough to tell entries apart that have no link of their own. */
const KEY_CHARACTERS = 60

/**
 * Captures the card that stands for the scroll position of a page: `pressed`, through which the user leaves, if it is in
 * view, otherwise the uppermost. It has no keys on a page without cards, and is undefined at the beginning of a page.
 */
export function captureCard(pressed: Element | undefined): KeptCard | undefined {
  if (scrollY < 1) return undefined
  const cards = listCards()
  const card = pressed && isInView(pressed) && isCard(pressed) ? pressed : uppermostCard()
  const at = card ? cards.indexOf(card) : -1
  const first = Math.max(0, at - PREVIOUS)
  return {
    keys: at < 0 ? [] : cards.slice(first, at + NEXT + 1).map(keyOf),
    index: at - first,
    top: card?.getBoundingClientRect().top ?? 0,
    windowHeight: innerHeight,
    count: cards.length,
    scrollY,
  }
}

/** Finds the card, or the neighbour that takes its place, in the current page. */
export function locateCard(kept: KeptCard): { card: Element; kind: FoundCard['kind'] } | undefined {
  const cards = listCards()
  const found = findCard(cards.map(keyOf), kept)
  const card = found && cards[found.at]
  return card && { card, kind: found.kind }
}

/** Whether the card may come with further pages of its list: fewer cards than before are loaded, or new ones pushed it down. */
export const mayStillCome = ({ keys, count }: KeptCard): boolean =>
  keys.length > 0 && listCards().length < count + PUSHED

/** Where the card belongs in the window, whose size may have changed. */
export const wantedTop = ({ top, windowHeight }: KeptCard): number =>
  (top * innerHeight) / windowHeight

/** The card that an element is in. */
export function cardAround(element: Element): Element | undefined {
  const card = element.closest(`main ${ENTRY}`)
  return card && isCard(card) ? card : undefined
}

/** All cards of the page. An entry that contains others, such as a comment with replies, is not a card. */
const listCards = () => [...document.querySelectorAll(`main ${ENTRY}`)].filter(isInnermost)

const isInnermost = (entry: Element) => entry.querySelector(ENTRY) === null

const isCard = (entry: Element) => entry.isConnected && isInnermost(entry) && scrollsWithPage(entry)

/** False for sticky and fixed elements, and inside a box that scrolls. */
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

/** The first card whose upper edge is in the window, otherwise the one that crosses the window's upper edge. */
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

/** A hash, which is short and does not reveal what was read. */
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
