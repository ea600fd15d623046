import { useComputedColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { setSiteName } from '#client/platform/page-arrival.ts'
import { rememberSite, useSite } from '#client/platform/use-site.ts'

/** Sets name and accent, and the browser's colour to the header's. */
export function SiteLook() {
  const site = useSite()
  useEffect(() => {
    if (site) rememberSite(site)
  }, [site])
  const name = site?.name
  const accent = site?.accent
  useEffect(() => {
    if (name) setSiteName(name)
  }, [name])
  const games = site?.categoryColours
  useEffect(() => {
    if (accent === undefined || !games) return
    const isTheme = accent === null && Object.keys(games).length === 0
    if (isTheme && !document.getElementById('site-style')) return
    import('./site-style.ts').then(
      ({ applySiteStyle }) => applySiteStyle({ accent, games }),
      // If the code cannot be loaded, the page keeps the colours of the theme.
      () => {},
    )
  }, [accent, games])
  const scheme = useComputedColorScheme('dark')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colour depends on the scheme.
  useEffect(() => {
    // Mantine sets the attribute after this effect when the system's scheme changes.
    const frame = requestAnimationFrame(() => {
      const surface = getComputedStyle(document.documentElement).getPropertyValue('--surface')
      document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surface)
    })
    return () => cancelAnimationFrame(frame)
  }, [scheme])
  return null
}
