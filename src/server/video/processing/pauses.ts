import { setImmediate } from 'node:timers/promises'

const busyMs = 25

let restedAt = performance.now()

export function isPauseDue(): boolean {
  return performance.now() - restedAt > busyMs
}

/** For the memory check, messages, the parent's exit and finalizers of FFmpeg packets. */
export async function pause(): Promise<void> {
  await setImmediate()
  restedAt = performance.now()
}
