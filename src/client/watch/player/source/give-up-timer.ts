/** After so long without a byte nobody believes in 'Reconnecting…' any more. */
const TIMEOUT_MS = 30_000

type GiveUpTimerOptions = {
  /** Whether a user is shown that nothing comes. */
  isWaiting: () => boolean
  onOver: () => void
}

/** Bounds how long a lost connection is waited for, whatever is tried meanwhile. */
export function createGiveUpTimer({ isWaiting, onOver }: GiveUpTimerOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLost = false

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }
  /** Looks again whether a user waits. */
  function look(): void {
    if (isLost && isWaiting()) timer ??= setTimeout(onOver, TIMEOUT_MS)
    else stop()
  }
  return {
    look,
    begin(): void {
      isLost = true
      look()
    },
    /** Something came. */
    renew(): void {
      stop()
      look()
    },
    end(): void {
      isLost = false
      stop()
    },
  }
}
