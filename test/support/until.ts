/** Waits until `condition` holds. @throws after 100 seconds, or after `timeoutMs` */
export async function until(
  condition: () => Promise<boolean> | boolean,
  { timeoutMs = 100_000 }: { timeoutMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('What the test waits for did not happen.')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
