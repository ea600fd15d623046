/** Waits until `condition` holds. @throws after 30 seconds */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('What the test waits for did not happen.')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
