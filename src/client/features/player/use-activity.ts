import { useEffect, useState } from 'react'

/** How long the controls stay after the last mouse move or touch. */
export const CONTROLS_HIDE_MS = 3000

/** True from each `touch()` until nothing happened for three seconds. */
export function useActivity() {
  const [lastAt, setLastAt] = useState(0)
  const [isActive, setActive] = useState(false)
  useEffect(() => {
    if (lastAt === 0) return
    const timer = setTimeout(() => setActive(false), CONTROLS_HIDE_MS)
    return () => clearTimeout(timer)
  }, [lastAt])
  return {
    isActive,
    touch: () => {
      setActive(true)
      setLastAt(performance.now())
    },
    rest: () => setActive(false),
  }
}
