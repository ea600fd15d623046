import { useEffect, useState } from 'react'

/** A row of most windows. */
const STEP = 4

/**
 * Renders added items a few per frame, so that scrolling stays smooth. A new first item means a new
 * list.
 */
export function useGrowingCount(list: readonly { id: number }[]): number {
  const first = list[0]?.id
  const [drawn, setDrawn] = useState({ first, count: list.length })
  const isSameList = drawn.first === first
  const count = isSameList ? Math.min(drawn.count, list.length) : list.length
  useEffect(() => {
    if (isSameList && drawn.count === list.length) return
    const draw = () => setDrawn({ first, count: Math.min(count + STEP, list.length) })
    const frame = requestAnimationFrame(draw)
    return () => cancelAnimationFrame(frame)
  })
  return count
}
