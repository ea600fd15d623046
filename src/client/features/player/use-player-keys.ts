import { type RefObject, useEffect } from 'react'
import { actionOfKey } from './player-actions.ts'

const SCROLLING_KEYS = ['ArrowUp', 'ArrowDown']
const OWN_SPACE = 'button, a, summary, [role="button"]'
const OWN_KEYS = 'input:not([type="range"]), textarea, select, [contenteditable], [role="listbox"]'

/**
 * The keys of the player work all over the page, except where they mean something else: while
 * something is typed, on a focused button, in a dialog, and for scrolling.
 */
export function usePlayerKeys(
  rootRef: RefObject<HTMLElement | null>,
  videoRef: RefObject<HTMLVideoElement | null>,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const root = rootRef.current
      const video = videoRef.current
      if (!root || !video || event.defaultPrevented) return
      if (event.ctrlKey || event.metaKey || event.altKey || isMeantElsewhere(event, root)) return
      const action = actionOfKey(event.key, { root, video })
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [rootRef, videoRef])
}

function isMeantElsewhere({ key, target }: KeyboardEvent, root: HTMLElement): boolean {
  if (!(target instanceof Element)) return true
  if (target.closest(OWN_KEYS)) return true
  if (key === ' ' && target.closest(OWN_SPACE)) return true
  if (root.contains(target)) return false
  return SCROLLING_KEYS.includes(key) || target.closest('[role="dialog"], [popover]') !== null
}
