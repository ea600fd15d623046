import { useEffect, useRef } from 'react'

const TYPING = 'input, textarea, select, [contenteditable], [role="dialog"], dialog'
/** Elements that keep Enter; reviewed rows leave it to the page. */
const PRESSABLE = 'button:not([data-walked]), a, summary'

/** Active everywhere, except where keys have another meaning. */
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
