import { DESCRIPTION_MAX } from '#shared/limits.ts'
import { formatDuration } from '#shared/text/format.ts'

type Credit = {
  title: string
  /** Null if anonymous. */
  ownerName: string | null
  url: string
  startSeconds: number
}

/** Shorter for longer lists. */
const forms = [
  { titleMax: 100, hasNames: true },
  { titleMax: 50, hasNames: true },
  { titleMax: 24, hasNames: true },
  { titleMax: 24, hasNames: false },
]

export function writeCredits(credits: readonly Credit[]): string {
  const texts = forms.map((form) => credits.map((credit) => writeLine(credit, form)).join('\n'))
  const fitting = texts.find((text) => text.length <= DESCRIPTION_MAX) ?? texts.at(-1) ?? ''
  if (fitting.length <= DESCRIPTION_MAX) return fitting
  return fitting.slice(0, fitting.lastIndexOf('\n', DESCRIPTION_MAX))
}

function writeLine(
  { title, ownerName, url, startSeconds }: Credit,
  { titleMax, hasNames }: (typeof forms)[number],
): string {
  const letters = [...title]
  const short = letters.length > titleMax ? `${letters.slice(0, titleMax - 1).join('')}…` : title
  const by = ownerName !== null && hasNames ? ` by ${ownerName}` : ''
  return `${formatDuration(startSeconds)} ${short} —${by} ${url}`
}
