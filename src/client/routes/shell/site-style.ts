import { accentOn, isColour } from '#shared/colour.ts'

const STYLE_ID = 'site-style'
const SCHEMES = ['dark', 'light'] as const
const SELECTORS = {
  dark: ':root, :root[data-mantine-color-scheme="dark"]',
  light: ':root[data-mantine-color-scheme="light"]',
} as const

type SiteColours = { accent: string | null; games: Readonly<Record<string, string>> }

/**
 * Replaces tokens of `tokens.css` with the colours that an admin chose. An accent of null keeps the
 * theme's own.
 */
export function applySiteStyle({ accent, games }: SiteColours): void {
  document.getElementById(STYLE_ID)?.remove()
  const style = document.createElement('style')
  style.id = STYLE_ID
  style.textContent = [...(accent === null ? [] : accentRules(accent)), ...gameRules(games)].join(
    '\n',
  )
  document.head.append(style)
}

/** Adjusts the accent to have enough contrast in both colour schemes. */
function accentRules(accent: string): string[] {
  return SCHEMES.map((scheme) => {
    const { mark, fill, ink } = accentOn(scheme, accent)
    return `${SELECTORS[scheme]} {
      --volt: ${mark};
      --volt-fill: ${fill};
      --on-volt: ${ink};
      --volt-hover: color-mix(in srgb, ${fill} 88%, ${scheme === 'dark' ? '#ffffff' : '#000000'});
      --volt-soft: color-mix(in srgb, ${mark} 12%, transparent);
    }`
  })
}

/** Gives each colour the contrast that the colours of `tokens.css` have. */
function gameRules(games: SiteColours['games']): string[] {
  return Object.entries(games).flatMap(([name, colour]) =>
    isColour(colour)
      ? SCHEMES.map((scheme) => {
          const game = `[data-game=${JSON.stringify(name)}]`
          return `:is(${SELECTORS[scheme]}) ${game} { --game: ${accentOn(scheme, colour).mark}; }`
        })
      : [],
  )
}
