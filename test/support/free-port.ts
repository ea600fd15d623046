import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range from which systems take the ports of outgoing connections, which could be given away meanwhile; above the
 * last port that browsers refuse to ask (10080, "bad port" of the Fetch standard).
 */
const [FIRST, LAST] = [10_081, 32_000]

/** A port of loopback that nobody listens on. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const outcome = once(probe, 'listening').then(
    () => true,
    () => false,
  )
  probe.listen(port, '127.0.0.1')
  const isListening = await outcome
  if (isListening) await once(probe.close(), 'close')
  return isListening
}
