import type { PointerEvent } from 'react'

const EDGE_PX = 96
const SCROLL_PX = 14

/**
 * Drags the `<li>` of a pressed handle; the window or `[data-scroller]` scrolls at its edges.
 * @param onDrop old and new index from 0; elements then return
 */
export function dragToOrder(
  event: PointerEvent<HTMLElement>,
  onDrop: (from: number, to: number) => void,
): void {
  const handle = event.currentTarget
  const item = handle.closest('li')
  const list = item?.parentElement
  if (!item || !list || event.button !== 0) return
  event.preventDefault()
  handle.focus()

  const items = [...list.children].filter((child) => child instanceof HTMLElement)
  const boxes = items.map(({ offsetTop, offsetHeight }) => ({
    top: offsetTop,
    bottom: offsetTop + offsetHeight,
    middle: offsetTop + offsetHeight / 2,
  }))
  const from = items.indexOf(item)
  const own = boxes[from]
  const [first, second] = boxes
  if (!own || !first) return
  const room = own.bottom - own.top + (second ? second.top - first.bottom : 0)
  const scroller = list.closest<HTMLElement>('[data-scroller]') ?? document.documentElement
  const isPage = scroller === document.documentElement
  const start = { y: event.clientY, scroll: scroller.scrollTop }
  let pointerY = event.clientY
  let to = from
  let frame = 0

  const place = () => {
    const distance = pointerY - start.y + scroller.scrollTop - start.scroll
    const passed = boxes.filter(({ middle }, index) =>
      index > from ? own.bottom + distance > middle : index < from && own.top + distance < middle,
    )
    to = distance > 0 ? from + passed.length : from - passed.length
    item.style.translate = `0 ${distance}px`
    for (const [index, other] of items.entries()) {
      if (other === item) continue
      const isAbove = index < from && index >= to
      const isBelow = index > from && index <= to
      other.style.translate = isAbove ? `0 ${room}px` : isBelow ? `0 ${-room}px` : ''
    }
  }
  const follow = () => {
    const { top, bottom } = scroller.getBoundingClientRect()
    const edge = isPage ? EDGE_PX : EDGE_PX / 3
    if (pointerY < (isPage ? 0 : top) + edge) scroller.scrollBy(0, -SCROLL_PX)
    if (pointerY > (isPage ? innerHeight : bottom) - edge) scroller.scrollBy(0, SCROLL_PX)
    place()
    frame = requestAnimationFrame(follow)
  }
  const listeners = new AbortController()
  const end = (drop: boolean) => {
    listeners.abort()
    cancelAnimationFrame(frame)
    delete item.dataset.dragged
    delete list.dataset.dragging
    if (drop && to !== from) onDrop(from, to)
    for (const other of items) other.style.translate = ''
  }
  const on = (type: string, act: (event: Event) => void) =>
    addEventListener(type, act, { signal: listeners.signal, capture: true })

  handle.setPointerCapture(event.pointerId)
  item.dataset.dragged = ''
  list.dataset.dragging = ''
  on('pointermove', (move) => {
    if (move instanceof globalThis.PointerEvent) pointerY = move.clientY
  })
  on('pointerup', () => end(true))
  on('pointercancel', () => end(false))
  on('keydown', (press) => {
    if (press instanceof KeyboardEvent && press.key === 'Escape') end(false)
  })
  follow()
}
