const PAUSES_MS = [300, 700, 1000, 2000, 3000]
const PROBE_MS = 5000

/** `gone`: the server answers, but not with this file. */
type ProbeResult = 'up' | 'down' | 'gone'

type RecoveryOptions = {
  probe: () => Promise<ProbeResult>
  /** After the first probe that fails, and again when it is over. */
  onChange: (isLost: boolean) => void
  onUp: () => void
  onGone: () => void
}

/** Asks again and again whether the server is back, and says so once. */
export function createRecovery({ probe, onChange, onUp, onGone }: RecoveryOptions) {
  let isRunning = false
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const stop = () => {
    isRunning = false
    clearTimeout(timer)
    removeEventListener('online', ask)
    onChange(false)
  }
  const ask = async () => {
    clearTimeout(timer)
    const asked = ++attempt
    const result = await probe()
    if (!isRunning || asked !== attempt) return
    if (result === 'down') {
      onChange(true)
      timer = setTimeout(ask, PAUSES_MS[Math.min(attempt - 1, PAUSES_MS.length - 1)])
      return
    }
    stop()
    if (result === 'up') onUp()
    else onGone()
  }
  return {
    begin(): void {
      if (isRunning) return
      isRunning = true
      attempt = 0
      addEventListener('online', ask)
      void ask()
    },
    stop(): void {
      if (isRunning) stop()
    },
  }
}

/** Asks for the head of a file. */
export async function probeFile(url: string): Promise<ProbeResult> {
  try {
    const answer = await fetch(url, {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_MS),
    })
    if (answer.ok) return 'up'
    return answer.status >= 500 || answer.status === 429 ? 'down' : 'gone'
  } catch {
    return 'down'
  }
}
