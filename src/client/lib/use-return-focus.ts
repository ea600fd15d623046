import { useEffect, useState } from 'react'

/** For a dialog: when it goes away, what had the focus before it gets it back. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}
