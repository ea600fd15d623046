import { useEffect, useRef, useState } from 'react'

/** For what is fetched when its button was pressed: it takes the button's place with the focus, and opens. */
export function useOpenAtOnce() {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    target.current?.focus({ preventScroll: true })
    setOpened(true)
  }, [])
  return { target, opened, setOpened }
}
