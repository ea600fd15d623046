const LEVELS = ['major', 'minor', 'patch'] as const
export type Level = (typeof LEVELS)[number]

export const isLevel = (word: string | undefined): word is Level =>
  LEVELS.some((level) => level === word)

/**
 * '1.2.3' becomes '1.2.4' (patch), '1.3.0' (minor) or '2.0.0' (major); undefined for an invalid
 * version.
 */
export function nextVersion(version: string, level: Level): string | undefined {
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number)
  if (!numbers) return undefined
  const place = LEVELS.indexOf(level)
  return numbers
    .map((number, index) => (index < place ? number : index === place ? number + 1 : 0))
    .join('.')
}
