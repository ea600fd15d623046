import { accentOn } from '#shared/colour.ts'

const STYLE_ID = 'site-accent'
const SELECTORS = {
  dark: ':root, :root[data-mantine-color-scheme="dark"]',
  light: ':root[data-mantine-color-scheme="light"]',
} as const

/** Adjusts an admin's colour for contrast in both schemes; null restores the theme's. */
export function applyAccent(accent: string | null): void {
  document.getElementById(STYLE_ID)?.remove()
  if (accent === null) return
  const style = document.createElement('style')
  style.id = STYLE_ID
  style.textContent = (['dark', 'light'] as const)
    .map((scheme) => {
      const { mark, fill, ink } = accentOn(scheme, accent)
      return `${SELECTORS[scheme]} {
        --volt: ${mark};
        --volt-fill: ${fill};
        --on-volt: ${ink};
        --volt-hover: color-mix(in srgb, ${fill} 88%, ${scheme === 'dark' ? '#ffffff' : '#000000'});
        --volt-soft: color-mix(in srgb, ${mark} 12%, transparent);
      }`
    })
    .join('\n')
  document.head.append(style)
}
