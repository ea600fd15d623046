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
  useEffect(() => {
    const isSet = accent != null
    if (accent === undefined || (!isSet && !document.getElementById('site-accent'))) return
    // Without it the page keeps its initial accent.
    import('./accent-style.ts').then(
      ({ applyAccent }) => applyAccent(accent),
      () => {},
    )
  }, [accent])
  const colours = site?.categoryColours
  useEffect(() => {
    if (!colours || !(Object.keys(colours)[0] || document.getElementById('game-colours'))) return
    import('./game-style.ts').then(
      ({ applyGameColours }) => applyGameColours(colours),
      () => {},
    )
  }, [colours])
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
