import { UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useCategories } from '#client/platform/use-site.ts'
import type { Category } from '#shared/limits.ts'
import classes from './category-strip.module.css'

const SCROLL_PX = 200
const END_MARGIN_PX = 10
const EXACTLY = { exact: true, includeSearch: true }

/** Filters the page it is on by `?category=`: All, and a chip for each game; arrows while there is more to either side. */
export function CategoryStrip() {
  const categories = useCategories()
  const strip = useRef<HTMLUListElement>(null)
  const [more, setMore] = useState({ left: false, right: false })

  const measure = () => {
    const element = strip.current
    if (!element) return
    const { scrollLeft, scrollWidth, clientWidth } = element
    const left = scrollLeft > 0
    const right = scrollLeft < scrollWidth - clientWidth - END_MARGIN_PX
    setMore((old) => (old.left === left && old.right === right ? old : { left, right }))
  }
  const attach = (element: HTMLUListElement) => {
    strip.current = element
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }
  const scroll = (pixels: number) => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    strip.current?.scrollBy({ left: pixels, behavior: isCalm ? 'instant' : 'smooth' })
  }

  return (
    <nav className={classes.root} aria-label="Categories">
      {more.left && (
        <UnstyledButton
          className={classes.arrow}
          data-side="left"
          aria-label="Scroll categories left"
          onClick={() => scroll(-SCROLL_PX)}
        >
          <IconChevronLeft size={20} aria-hidden />
        </UnstyledButton>
      )}
      <ul
        ref={attach}
        className={classes.strip}
        data-more-left={more.left || undefined}
        data-more-right={more.right || undefined}
        onScroll={measure}
      >
        <li>
          <CategoryChip category={undefined} />
        </li>
        {categories.map((category) => (
          <li key={category} data-game={category}>
            <CategoryChip category={category} />
          </li>
        ))}
      </ul>
      {more.right && (
        <UnstyledButton
          className={classes.arrow}
          data-side="right"
          aria-label="Scroll categories right"
          onClick={() => scroll(SCROLL_PX)}
        >
          <IconChevronRight size={20} aria-hidden />
        </UnstyledButton>
      )}
    </nav>
  )
}

/** Leads to the page it is on, with another category. */
function CategoryChip({ category }: { category: Category | undefined }) {
  return (
    <Link
      to="."
      search={(old) => ({ ...old, category })}
      activeOptions={EXACTLY}
      className={classes.chip}
    >
      {category ?? 'All'}
    </Link>
  )
}
