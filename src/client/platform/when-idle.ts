const TIMEOUT_MS = 4000
const WITHOUT_IDLENESS_MS = 1000

/** Resolves once the browser has nothing else to do, or after some seconds. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve()
    if ('requestIdleCallback' in globalThis) requestIdleCallback(end, { timeout: TIMEOUT_MS })
    else setTimeout(end, WITHOUT_IDLENESS_MS)
  })
}
