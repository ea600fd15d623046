const BUZZ_MS = 12

/** Vibrates briefly on devices that can, unless the user prefers reduced motion. */
export function buzz(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  navigator.vibrate?.(BUZZ_MS)
}
