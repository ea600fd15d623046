type WorkLoopInput = {
  /** Does one piece of work. @returns whether there is more to do at once */
  step: () => Promise<boolean>
  /** What stopped the work; not called after the end. */
  onError: (error: unknown) => void
  /** The end. */
  signal: AbortSignal
}

/** Does one piece of work after another, and when there is none waits to be woken. */
export function createWorkLoop({ step, onError, signal }: WorkLoopInput) {
  let isRunning = false
  let isWoken = false
  let isHalted = false

  async function workOff(): Promise<void> {
    for (let hasMore = true; (hasMore || isWoken) && !isHalted; ) {
      isWoken = false
      hasMore = await step()
    }
  }

  return {
    /** Looks for work, now or after the piece under way. */
    wake(): void {
      isWoken = true
      if (isRunning || isHalted || signal.aborted) return
      isRunning = true
      workOff().then(
        () => {
          isRunning = false
        },
        (error) => {
          isRunning = false
          if (!signal.aborted) onError(error)
        },
      )
    },
    /** Does nothing until it is told to go on. */
    halt(): void {
      isHalted = true
    },
    goOn(): void {
      isHalted = false
      this.wake()
    },
  }
}
