import { useRef, useState } from 'react'

/** Since the last mouse move or touch. */
const CONTROLS_HIDE_MS = 3000

export function useActivity() {
  const [isActive, setActive] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return {
    isActive,
    touch: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setActive(false), CONTROLS_HIDE_MS)
      setActive(true)
    },
    rest: () => {
      clearTimeout(timer.current)
      setActive(false)
    },
  }
}
