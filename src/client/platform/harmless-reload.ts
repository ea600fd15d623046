const RELOADED_AT = 'clutch-reloaded-at'
/** A second reload would not help. */
const RELOAD_EVERY_MS = 60_000

let hasTyped = false

/** A reload would lose it. */
export function watchTyping(): void {
  document.addEventListener(
    'input',
    () => {
      hasTyped = true
    },
    true,
  )
}

/** Call when leaving the page. */
export function forgetTyping(): void {
  hasTyped = false
}

/**
 * Unless a video plays, a dialog is open, something was typed, or a `beforeunload` listener
 * objects. At most once a minute.
 * @returns whether it reloads
 */
export function reloadIfHarmless(): boolean {
  if (hasTyped || isPlaying() || document.querySelector('[role="dialog"]')) return false
  const question = new Event('beforeunload', { cancelable: true })
  dispatchEvent(question)
  if (question.defaultPrevented) return false
  try {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT))
    if (Date.now() - reloadedAt < RELOAD_EVERY_MS) return false
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
  } catch {
    // Without storage it could reload endlessly.
    return false
  }
  location.reload()
  return true
}

const isPlaying = () => [...document.querySelectorAll('video')].some(({ paused }) => !paused)
