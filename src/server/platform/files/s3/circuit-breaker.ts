/**
 * Keeps callers from waiting for something that does not answer: after several failures in a row nobody may try for a
 * while, then one for all.
 */
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
    /** @param why as a sentence, to be had from `problem` until something succeeds */
    failed(why: string): void {
      inARow++
      problem = why
      if (inARow >= failures) rest()
    },
    /** Something that answers, but not as it should. */
    refused(why: string): void {
      inARow = 0
      problem = why
    },
    problem: () => problem,
  }
}
