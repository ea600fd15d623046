import { setImmediate } from 'node:timers/promises'

const busyMs = 25

let restedAt = performance.now()

/** True when synchronous FFmpeg calls have blocked the event loop for long enough. */
export function isPauseDue(): boolean {
  return performance.now() - restedAt > busyMs
}

/**
 * Lets the event loop turn. The memory check, the parent's messages and its disappearance are noticed only then, and only
 * then Node runs the finalizers of collected FFmpeg objects: a loop without pauses keeps the memory of every packet.
 */
export async function pause(): Promise<void> {
  await setImmediate()
  restedAt = performance.now()
}
