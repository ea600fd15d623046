import { useEffect, useRef } from 'react'

const TYPING = 'input, textarea, select, [contenteditable], [role="dialog"], dialog'
/** What Enter presses. A row that is walked through takes it as the page does. */
const PRESSABLE = 'button:not([data-walked]), a, summary'

/** Keys that do something wherever the focus is, except where they mean something else. */
export function useReviewKeys(actions: Record<string, () => unknown>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      const hasModifier = event.ctrlKey || event.altKey || event.metaKey
      if (event.defaultPrevented || hasModifier || !(target instanceof Element)) return
      if (target.closest(TYPING) || (key === 'Enter' && target.closest(PRESSABLE))) return
      const action = latest.current[key.length === 1 ? key.toLowerCase() : key]
      if (!action) return
      event.preventDefault()
      if (!event.repeat || key !== 'Enter') action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
