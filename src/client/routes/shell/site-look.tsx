import { useComputedColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { setSiteName } from '#client/platform/page-arrival.ts'
import { rememberSite, useSite } from '#client/platform/use-site.ts'

/** Gives the pages the site's own name and accent, and the browser's frame the colour of the header. */
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
    // Without it the page has the accent that it came with.
    import('./accent-style.ts').then(
      ({ applyAccent }) => applyAccent(accent),
      () => {},
    )
  }, [accent])
  const scheme = useComputedColorScheme('dark')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colour is the scheme's.
  useEffect(() => {
    // Mantine sets the attribute after this effect has run when the system's scheme changes.
    const frame = requestAnimationFrame(() => {
      const surface = getComputedStyle(document.documentElement).getPropertyValue('--surface')
      document.querySelector('meta[name="theme-color"]')?.setAttribute('content', surface)
    })
    return () => cancelAnimationFrame(frame)
  }, [scheme])
  return null
}
