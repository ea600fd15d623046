const BUZZ_MS = 12

/** A short touch that is felt, on devices that can; none where motion is reduced. */
export function buzz(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  navigator.vibrate?.(BUZZ_MS)
}
