const TIMEOUT_MS = 4000
const WITHOUT_IDLENESS_MS = 1000
const HIDDEN_MS = 100

/** After some seconds at the latest. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(end, { timeout: TIMEOUT_MS })
    else setTimeout(end, WITHOUT_IDLENESS_MS)
  })
}

/** What the page contains is painted. Hidden pages are not painted: then after a moment. */
export function whenPainted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, HIDDEN_MS)
  })
}

/** The page with what it began with, such as its first pictures. */
export function whenLoaded(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else addEventListener('load', () => resolve(), { once: true })
  })
}
