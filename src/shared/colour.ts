/** WCAG 2.2, 1.4.3. */

const HEX = /^#[0-9a-f]{6}$/i
const SHORT_HEX = /^#[0-9a-f]{3}$/

export const GAME_COLOUR_RULE = 'A game has a colour like #4a8fd0.'

export function isColour(text: string): boolean {
  return HEX.test(text)
}

/** Accepts #rgb too. Returns #rrggbb, or undefined for anything else. */
export function toColour(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase()
  const colour = SHORT_HEX.test(trimmed) ? trimmed.replace(/[0-9a-f]/g, '$&$&') : trimmed
  return isColour(colour) ? colour : undefined
}

type Rgb = [number, number, number]

/** 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const READABLE = 4.5
/** A colour is pale if all of its channels are above this. */
const PALE = 0xd8
/** Backgrounds in the theme. */
const SURFACES = { dark: '#1a1e28', light: '#f1f3f6' } as const
const INKS = { dark: '#10140a', light: '#ffffff' } as const

/** `mark` is for text and small marks; `fill` is a background for text in `ink`. */
export type Accent = { mark: string; fill: string; ink: string }

/**
 * Adjusts the brightness of marks until they are readable on the theme's surfaces. A fill needs no
 * adjustment: one of the inks is readable on any colour.
 * @throws RangeError for an invalid colour
 */
export function accentOn(scheme: 'dark' | 'light', chosen: string): Accent {
  if (!isColour(chosen)) throw new RangeError(`${chosen} is not a colour.`)
  const goal = scheme === 'dark' ? '#ffffff' : '#000000'
  let mark = chosen.toLowerCase()
  for (let step = 1; step <= 20 && contrastOf(mark, SURFACES[scheme]) < READABLE; step++) {
    mark = mix(chosen, goal, step / 20)
  }
  // Dark colours are lost on a dark page, and pale ones on a light page.
  const isSeen = scheme === 'light' && Math.min(...channels(chosen)) <= PALE
  const fill = isSeen ? chosen.toLowerCase() : mark
  const ink = contrastOf(fill, INKS.dark) >= contrastOf(fill, INKS.light) ? INKS.dark : INKS.light
  return { mark, fill, ink }
}

function mix(from: string, to: string, share: number): string {
  const [start, end] = [channels(from), channels(to)]
  return `#${start
    .map((value, index) => Math.round(value + ((end[index] ?? 0) - value) * share))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channels(colour: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Rgb
}

/** `--volt` of the dark scheme. */
export const DEFAULT_ACCENT = '#c8ff3e'
