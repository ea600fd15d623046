import { type RefObject, useEffect, useRef } from 'react'

/** Calls `onPress` for a press anywhere but in the element, or in one that has `data-opener`. */
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
