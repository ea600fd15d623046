const RELOADED_AT = 'clutch-reloaded-at'
/** What is missing again this soon after the page was loaded again stays missing. */
const RELOAD_EVERY_MS = 60_000

let hasTyped = false

/** Notes what is typed, which loading the page again would lose. */
export function watchTyping(): void {
  document.addEventListener(
    'input',
    () => {
      hasTyped = true
    },
    true,
  )
}

/** What was typed belonged to a page that is left. */
export function forgetTyping(): void {
  hasTyped = false
}

/**
 * Loads the page again, unless something plays, is open or was typed, or a part of the page asks to be asked first. At most
 * once a minute: what is missing for another reason is missing still.
 * @returns whether the page is being loaded
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
    // Without storage it could go on for ever.
    return false
  }
  location.reload()
  return true
}

const isPlaying = () => [...document.querySelectorAll('video')].some(({ paused }) => !paused)
