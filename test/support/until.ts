const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 100

/**
 * Waits until `condition` holds, and asks less often the longer it takes: each time may be a request.
 * @throws after 100 seconds, or after `timeoutMs`
 */
export async function until(
  condition: () => Promise<boolean> | boolean,
  { timeoutMs = 100_000 }: { timeoutMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let pauseMs = FIRST_PAUSE_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('What the test waits for did not happen.')
    const waitMs = pauseMs
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)
  }
}
