import { useSyncExternalStore } from 'react'

export type ColorScheme = 'dark' | 'light' | 'auto'

/** Both are known to `first-paint/color-scheme.js` too, which sets the scheme before the first paint. */
const STORAGE_KEY = 'clutch-color-scheme'
const DEFAULT: ColorScheme = 'dark'

const prefersLight = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()
let chosen = readChoice()

/** The scheme the reader chose on this device, and a way to choose another. */
export function useColorScheme() {
  return [
    useSyncExternalStore(subscribeToColorScheme, currentColorScheme),
    chooseColorScheme,
  ] as const
}

export function currentColorScheme(): ColorScheme {
  return chosen
}

export function chooseColorScheme(scheme: ColorScheme): void {
  if (scheme === chosen) return
  try {
    localStorage.setItem(STORAGE_KEY, scheme)
  } catch {
    // Storage is switched off: the choice lasts as long as the page.
  }
  apply(scheme)
}

export function subscribeToColorScheme(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readChoice(): ColorScheme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return stored === 'light' || stored === 'auto' ? stored : DEFAULT
  } catch {
    return DEFAULT
  }
}

function apply(scheme: ColorScheme): void {
  chosen = scheme
  const shown = scheme === 'auto' ? (prefersLight.matches ? 'light' : 'dark') : scheme
  document.documentElement.dataset.mantineColorScheme = shown
  const surface = getComputedStyle(document.documentElement).getPropertyValue('--surface')
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surface)
  for (const listener of listeners) listener()
}

prefersLight.addEventListener('change', () => apply(chosen))
addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY) apply(readChoice())
})
