const TIMEOUT_MS = 4000
const WITHOUT_IDLENESS_MS = 1000

/** After some seconds at the latest. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(end, { timeout: TIMEOUT_MS })
    else setTimeout(end, WITHOUT_IDLENESS_MS)
  })
}

/** The page with what it began with, such as its first pictures. */
export function whenLoaded(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else addEventListener('load', () => resolve(), { once: true })
  })
}
