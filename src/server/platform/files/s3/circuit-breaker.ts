/** After several failures callers fail at once for a while; then one tries. */
export function createCircuitBreaker({ failures, restMs }: { failures: number; restMs: number }) {
  let inARow = 0
  let restsUntil = 0
  let problem: string | undefined
  const rest = () => {
    restsUntil = performance.now() + restMs
  }
  return {
    mayTry(): boolean {
      if (inARow < failures) return true
      if (performance.now() < restsUntil) return false
      rest()
      return true
    },
    succeeded(): void {
      inARow = 0
      problem = undefined
    },
    /** @param why a sentence: `problem` until a success */
    failed(why: string): void {
      inARow++
      problem = why
      if (inARow >= failures) rest()
    },
    refused(why: string): void {
      inARow = 0
      problem = why
    },
    problem: () => problem,
  }
}
