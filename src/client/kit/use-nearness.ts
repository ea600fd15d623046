import { type RefCallback, useCallback, useState } from 'react'

/** The distance is about what a viewer scrolls before the response arrives. */
const NEAR = '800px'

/** Returns a ref for an element, and whether it has come within `NEAR` of the window. */
export function useNearness() {
  const [isNear, setNear] = useState(false)
  const ref: RefCallback<HTMLElement> = useCallback((place) => {
    if (!place) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: NEAR,
    })
    observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return [ref, isNear] as const
}
