import { useEffect, useRef } from 'react'
import { hasOpenDialog } from '#client/platform/has-open-dialog.ts'

const TYPING = 'input, textarea, select, [contenteditable], [role="listbox"], [role="menu"]'
const NEXT = ['ArrowDown', 'ArrowRight', 'j']
const PREVIOUS = ['ArrowUp', 'ArrowLeft', 'k']
const PRESSED_BY_KEYS = 'button, a'
/** Beside the feed; its keys scroll it. */
const OWN_KEYS = '[data-own-keys]'

type FeedKeys = {
  onStep: (step: 1 | -1) => void
  onPress: () => void
  onMute: () => void
  onClose: () => void
}

/** The arrow keys, J and K move; Space plays and pauses; M mutes; Escape closes. */
export function useFeedKeys(keys: FeedKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    // Escape closes a dialog before the event arrives here, so the dialog is looked for on its way.
    let isBehindDialog = false
    const note = () => {
      isBehindDialog = hasOpenDialog()
    }
    const press = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (target instanceof Element && target.closest(TYPING)) return
      if (isBehindDialog) return
      const { onStep, onPress, onMute, onClose } = latest.current
      const isOnControl = target instanceof Element && target.closest(PRESSED_BY_KEYS) !== null
      const hasOwnKeys = target instanceof Element && target.closest(OWN_KEYS) !== null
      if (hasOwnKeys && key !== 'Escape') return
      if (NEXT.includes(key)) onStep(1)
      else if (PREVIOUS.includes(key)) onStep(-1)
      else if (key === 'm') onMute()
      else if (key === 'Escape') onClose()
      else if (key === ' ' && !isOnControl) onPress()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', note, true)
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', note, true)
      removeEventListener('keydown', press)
    }
  }, [])
}
