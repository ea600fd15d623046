import type { Player } from './player.ts'
import type { PlayerOptions } from './player-state.ts'
import { actionOfKey } from './shortcuts.ts'

const HOLD_MS = 400
/** Ignore key repeat. */
const ONCE_KEYS = /^[bkmftic?]$/i
/** The only letters for an inline player: full screen and mute. */
const INLINE_LETTERS = /^[fm]$/i
const SCROLLING_KEYS = ['ArrowUp', 'ArrowDown', 'Home', 'End']
const OWN_SPACE = 'button, a, summary, [role="button"]'
const TYPING = 'input:not([type="range"]), textarea, select, [contenteditable], [role="listbox"]'

/**
 * Keys work on the whole page, except while typing, on a focused button, in a dialog, and for
 * scrolling. @returns a stop function
 */
export function listenToKeys(player: Player, root: HTMLElement): () => void {
  const over = new AbortController()
  const { signal } = over
  let holdTimer: ReturnType<typeof setTimeout> | undefined
  let isSpaceDown = false
  let playsOnRelease = false

  const pressSpace = () => {
    if (isSpaceDown) return
    isSpaceDown = true
    playsOnRelease = !player.get().isPaused
    // Plays a paused video at once; pausing waits, as the key may be held.
    if (!playsOnRelease) player.togglePlay()
    holdTimer = setTimeout(player.startHurrying, HOLD_MS)
  }
  const releaseSpace = () => {
    if (!isSpaceDown) return
    isSpaceDown = false
    clearTimeout(holdTimer)
    if (player.get().isHurrying) player.stopHurrying()
    else if (playsOnRelease) player.togglePlay()
  }
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isHandledElsewhere(event, root)) return
    if (!takesKey(player.options, event.key)) return
    if (event.key === ' ' && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault()
      pressSpace()
      return
    }
    const action = actionOfKey(event, player)
    if (!action) return
    event.preventDefault()
    if (!(event.repeat && ONCE_KEYS.test(event.key))) action()
  }
  document.addEventListener('keydown', press, { signal })
  document.addEventListener('keyup', (event) => event.key === ' ' && releaseSpace(), { signal })
  addEventListener('blur', releaseSpace, { signal })
  return () => {
    over.abort()
    clearTimeout(holdTimer)
  }
}

/** Inline players leave most keys to the page. */
export function takesKey({ isInline }: Pick<PlayerOptions, 'isInline'>, key: string): boolean {
  return !isInline || !/^([a-z?]|Shift\+.)$/i.test(key) || INLINE_LETTERS.test(key)
}

export const isTyping = (target: Element) => target.closest(TYPING) !== null

function isHandledElsewhere({ key, target }: KeyboardEvent, root: HTMLElement): boolean {
  if (!(target instanceof Element)) return true
  if (isTyping(target)) return true
  // Keys belong to the page unless the focus is inside a mini or inline player.
  const part = root.closest('[data-mini], [data-inline]')
  if (part && !part.contains(target)) return true
  if (key === ' ' && target.closest(OWN_SPACE)) return true
  if (root.contains(target)) return target.closest('dialog') !== null
  return SCROLLING_KEYS.includes(key) || target.closest('[role="dialog"], [popover]') !== null
}
