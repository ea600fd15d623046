import { type RefObject, useEffect, useRef } from 'react'

/** Ignores presses in elements with `data-opener`. */
export function useOutsidePress(ref: RefObject<HTMLElement | null>, onPress: () => void): void {
  const latest = useRef(onPress)
  latest.current = onPress
  useEffect(() => {
    const press = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || ref.current?.contains(target)) return
      if (!target.closest('[data-opener]')) latest.current()
    }
    document.addEventListener('pointerdown', press, true)
    return () => document.removeEventListener('pointerdown', press, true)
  }, [ref])
}
