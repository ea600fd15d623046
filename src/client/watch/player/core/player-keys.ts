import type { Player } from './player.ts'
import type { PlayerOptions } from './player-state.ts'
import { actionOfKey } from './shortcuts.ts'

const HOLD_MS = 400
/** Pressed down again and again, these do not mean it again and again. */
const ONCE_KEYS = /^[bkmftic?]$/i
/** The letters that a player inside of another page takes: full screen and mute. */
const INLINE_LETTERS = /^[fm]$/i
const SCROLLING_KEYS = ['ArrowUp', 'ArrowDown', 'Home', 'End']
const OWN_SPACE = 'button, a, summary, [role="button"]'
const TYPING = 'input:not([type="range"]), textarea, select, [contenteditable], [role="listbox"]'

/**
 * The keys of the player work all over the page, except where they mean something else: while
 * something is typed, on a focused button, in a dialog, and for scrolling. @returns stops it
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
    // A paused video begins at once; a playing one waits whether the key is held.
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
    if (event.defaultPrevented || isMeantElsewhere(event, root)) return
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

/** Whether a key is the player's, or always that of the page around it. */
export function takesKey({ isInline }: Pick<PlayerOptions, 'isInline'>, key: string): boolean {
  return !isInline || !/^([a-z?]|Shift\+.)$/i.test(key) || INLINE_LETTERS.test(key)
}

function isMeantElsewhere({ key, target }: KeyboardEvent, root: HTMLElement): boolean {
  if (!(target instanceof Element)) return true
  if (target.closest(TYPING)) return true
  // Beside the mini player, and one inside of a page, the pages have their own keys.
  const part = root.closest('[data-mini], [data-inline]')
  if (part && !part.contains(target)) return true
  if (key === ' ' && target.closest(OWN_SPACE)) return true
  if (root.contains(target)) return target.closest('dialog') !== null
  return SCROLLING_KEYS.includes(key) || target.closest('[role="dialog"], [popover]') !== null
}
