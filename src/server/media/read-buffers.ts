/** Large enough that calls cost little beside the copying, small enough to stay in a processor's cache. */
const LARGE_BYTES = 256 * 1024
const SMALL_BYTES = 64 * 1024
/** So many are lent at most; what is read beyond that goes through small ones. */
const LARGE_MAX = 128
const KEPT_MAX = 32

const kept: Buffer[] = []
let lent = 0

/** Whether many are in use, as when clients take long to fetch what they asked for. */
export function areBuffersScarce(): boolean {
  return lent >= LARGE_MAX
}

/** Lends a buffer with undefined content; to be given back once nobody reads from it any more. */
export function lendBuffer(): Buffer {
  if (lent >= LARGE_MAX) return lendSmallBuffer()
  lent += 1
  // The last one given back is the one that the cache still has.
  return kept.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES)
}

/** The same, for what moves little. */
export function lendSmallBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(SMALL_BYTES)
}

export function giveBackBuffer(buffer: Buffer): void {
  if (buffer.length !== LARGE_BYTES) return
  lent -= 1
  if (kept.length < KEPT_MAX) kept.push(buffer)
}
