/** Longest time of 'Reconnecting…' without data. */
const TIMEOUT_MS = 30_000

type GiveUpTimerOptions = {
  /** The user sees a wait. */
  isWaiting: () => boolean
  onOver: () => void
}

/** Bounds the wait for a lost connection, across retries. */
export function createGiveUpTimer({ isWaiting, onOver }: GiveUpTimerOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLost = false

  function stop(): void {
    clearTimeout(timer)
    timer = undefined
  }
  function check(): void {
    if (isLost && isWaiting()) timer ??= setTimeout(onOver, TIMEOUT_MS)
    else stop()
  }
  return {
    check,
    begin(): void {
      isLost = true
      check()
    },
    renew(): void {
      stop()
      check()
    },
    end(): void {
      isLost = false
      stop()
    },
  }
}
