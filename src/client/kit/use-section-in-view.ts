import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

type Section = { id: string }

/** Pixels below a section's scroll margin. */
const TOLERANCE = 8

/**
 * The last section that reached the top; at the page's end the one in the address, or the last.
 * @param sections in page order; a stable array
 * @returns id
 */
export function useSectionInView(sections: readonly Section[]): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    const update = () => setCurrent(findCurrent(sections, hash))
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    // A loading section moves those below.
    const observer = new ResizeObserver(update)
    observer.observe(document.body)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
      observer.disconnect()
    }
  }, [sections, hash])
  return current
}

function findCurrent(sections: readonly Section[], hash: string): string | undefined {
  const found = sections.flatMap(({ id }) => document.getElementById(id) ?? [])
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement
  const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1
  const hasReachedTop = (section: HTMLElement) => {
    const margin = Number.parseFloat(getComputedStyle(section).scrollMarginTop) || 0
    return section.getBoundingClientRect().top <= margin + TOLERANCE
  }
  const read = found.findLast(hasReachedTop) ?? found[0]
  if (!isAtEnd) return read?.id
  const named = found.find(({ id }) => id === hash)
  const isNamedInView = named && named.getBoundingClientRect().bottom <= clientHeight + TOLERANCE
  return isNamedInView && !hasReachedTop(named) ? named.id : found.at(-1)?.id
}
