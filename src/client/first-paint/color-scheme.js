// Sets the chosen colour scheme before the first paint; it stands in the page itself, which would wait for a file.
// `lib/color-scheme.ts` writes the choice.
try {
  const chosen = localStorage.getItem('clutch-color-scheme')
  const prefersLight = matchMedia('(prefers-color-scheme: light)').matches
  if (chosen === 'light' || (chosen === 'auto' && prefersLight)) {
    document.documentElement.dataset.mantineColorScheme = 'light'
    document.querySelector('meta[name="theme-color"]').content = '#ffffff'
  }
} catch {
  // Storage is switched off: the page stays dark.
}
