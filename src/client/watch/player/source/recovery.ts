import { connection, siteFetch } from '#client/platform/connection.ts'

const PAUSES_MS = [300, 700, 1000, 2000, 3000]
const LONGEST_PAUSE_MS = 3000
const PROBE_MS = 5000

/** `gone`: the server is there, the file is not. */
type ProbeResult = 'up' | 'down' | 'gone'

type RecoveryOptions = {
  probe: () => Promise<ProbeResult>
  /** After the first failed probe, and at the end. */
  onChange: (isLost: boolean) => void
  onUp: () => void
  onGone: () => void
}

/** Polls for the connection, then for the file. */
export function createRecovery({ probe, onChange, onUp, onGone }: RecoveryOptions) {
  let running: AbortController | undefined

  const stop = () => {
    running?.abort()
    running = undefined
    onChange(false)
  }
  async function wait(signal: AbortSignal): Promise<void> {
    for (let tries = 0; ; tries++) {
      const result = await probe()
      if (signal.aborted) return
      if (result !== 'down') {
        stop()
        if (result === 'up') onUp()
        else onGone()
        return
      }
      onChange(true)
      await connection.doubt()
      if (connection.isLost()) await connection.untilBack(signal)
      else await connection.pause(PAUSES_MS[tries] ?? LONGEST_PAUSE_MS, signal)
    }
  }
  return {
    begin(): void {
      if (running) return
      running = new AbortController()
      // Rejects when stopped.
      void wait(running.signal).catch(() => undefined)
    },
    stop(): void {
      if (running) stop()
    },
  }
}

/** HEAD request. */
export async function probeFile(url: string): Promise<ProbeResult> {
  try {
    const answer = await siteFetch(url, {
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
