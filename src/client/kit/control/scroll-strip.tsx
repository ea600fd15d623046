import { UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { look } from '../layout/layout.ts'
import classes from './scroll-strip.module.css'

const SCROLL_PX = 200
const END_MARGIN_PX = 10
const FADE_PX = 72

type Strip = {
  ref: (element: HTMLElement | null) => (() => void) | undefined
  className: string | undefined
  onScroll: () => void
  'data-more-left': true | undefined
  'data-more-right': true | undefined
}

type ScrollStripProps = {
  /** For the arrows' labels: 'categories'. */
  what: string
  className?: string | undefined
  /** Spreads the scrolling props. */
  children: (strip: Strip) => ReactNode
}

/**
 * A horizontal scroller with fading ends and arrows. Starts with the current tab or link visible.
 */
export function ScrollStrip({ what, className, children }: ScrollStripProps) {
  const strip = useRef<HTMLElement>(null)
  const [more, setMore] = useState({ left: false, right: false })
  const measure = () => {
    if (!strip.current) return
    const { scrollLeft, scrollWidth, clientWidth } = strip.current
    const left = scrollLeft > 0
    const right = scrollLeft < scrollWidth - clientWidth - END_MARGIN_PX
    setMore((old) => (old.left === left && old.right === right ? old : { left, right }))
  }
  const [attach] = useState(() => (element: HTMLElement | null) => {
    strip.current = element
    if (!element) return undefined
    let shownAt = showCurrent(element)
    const observer = new ResizeObserver(() => {
      // Late content moves the current item; a user's own scroll position stays.
      if (element.scrollLeft === shownAt) shownAt = showCurrent(element)
      measure()
    })
    for (const part of [element, ...element.children]) observer.observe(part)
    return () => observer.disconnect()
  })
  const scroll = (pixels: number) => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    strip.current?.scrollBy({ left: pixels, behavior: isCalm ? 'instant' : 'smooth' })
  }
  const arrow = (side: 'left' | 'right') => {
    const Chevron = side === 'left' ? IconChevronLeft : IconChevronRight
    return (
      <UnstyledButton
        className={`${classes.arrow} ${look('centred', 'pill', 'square', 'textColor', 'hoverable')}`}
        data-side={side}
        aria-label={`Scroll ${what} ${side}`}
        onClick={() => scroll(side === 'left' ? -SCROLL_PX : SCROLL_PX)}
      >
        <Chevron size={20} aria-hidden />
      </UnstyledButton>
    )
  }
  return (
    <div className={`${look('shrink', 'relative')} ${className ?? ''}`}>
      {more.left && arrow('left')}
      {children({
        ref: attach,
        className: classes.strip,
        onScroll: measure,
        'data-more-left': more.left || undefined,
        'data-more-right': more.right || undefined,
      })}
      {more.right && arrow('right')}
    </div>
  )
}

/** scrollIntoView would scroll the page too. @returns position */
function showCurrent(strip: HTMLElement): number {
  const current = strip.querySelector<HTMLElement>('[aria-selected="true"], [aria-current="page"]')
  if (current) {
    strip.scrollLeft = current.offsetLeft + current.offsetWidth + FADE_PX - strip.clientWidth
  }
  return strip.scrollLeft
}
