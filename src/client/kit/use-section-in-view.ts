import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

type Section = { id: string }

/** Pixels below a section's scroll margin at which the section still counts as being at the top. */
const TOLERANCE = 8

/**
 * Finds the section of a page that is being read: the last one that has reached the top. At the end of the page, where
 * further ones cannot reach it, it is the one that the address names, or else the last.
 * @param sections in their order on the page; must be the same array each time
 * @returns the id of the section
 */
export function useSectionInView(sections: readonly Section[]): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  const [current, setCurrent] = useState(sections[0]?.id)
  useEffect(() => {
    const look = () => setCurrent(findCurrent(sections, hash))
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    // A section that loads moves the ones below it.
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
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
