import { setImmediate } from 'node:timers/promises'

const busyMs = 25

let restedAt = performance.now()

/** True when the synchronous FFmpeg calls have kept the event loop waiting for long enough. */
export function isPauseDue(): boolean {
  return performance.now() - restedAt > busyMs
}

/** Lets the memory check, the parent's messages and its disappearance be noticed. */
export async function pause(): Promise<void> {
  await setImmediate()
  restedAt = performance.now()
}
