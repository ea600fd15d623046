const RELOADED_AT = 'clutch-reloaded-at'
/** The page is not reloaded twice within this time, as it would not help. */
const RELOAD_EVERY_MS = 60_000

let hasTyped = false

/** Notes that something was typed, which a reload would lose. */
export function watchTyping(): void {
  document.addEventListener(
    'input',
    () => {
      hasTyped = true
    },
    true,
  )
}

/** Call this when the page with what was typed is left. */
export function forgetTyping(): void {
  hasTyped = false
}

/**
 * Reloads the page, unless a video plays, a dialog is open, something was typed, or a `beforeunload` listener objects. It
 * does so at most once a minute.
 * @returns whether the page is being reloaded
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
