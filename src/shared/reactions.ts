/**
 * In the order of the keys Alt+1 to Alt+6. They are names of columns, so they are never renamed.
 */
export const REACTION_KINDS = ['fire', 'laugh', 'wow', 'heart', 'skull', 'gg'] as const
export type ReactionKind = (typeof REACTION_KINDS)[number]

export const REACTION_WORDS: Record<ReactionKind, string> = {
  fire: 'Fire',
  laugh: 'Laugh',
  wow: 'Wow',
  heart: 'Heart',
  skull: 'Dead',
  gg: 'GG',
}

export const REACTIONS_PER_VIDEO_MAX = 30
export const TOO_MANY_REACTIONS = `You can react to a video at most ${REACTIONS_PER_VIDEO_MAX} times.`
const BUCKETS_MAX = 600

/**
 * Returns how many seconds of a video are counted together, a power of two. A video has at most 600
 * such buckets.
 */
export function bucketSecondsOf(durationSeconds: number): number {
  let seconds = 1
  while (durationSeconds / seconds > BUCKETS_MAX) seconds *= 2
  return seconds
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
/** The highest count that one digit can express. */
export const REACTIONS_TOLD_MAX = DIGITS.length - 1

/** Writes a base-36 digit for each bucket and omits zeros at the end. */
export function encodeCounts(counts: readonly number[]): string {
  const text = counts.map((count) => DIGITS[Math.min(count, REACTIONS_TOLD_MAX)]).join('')
  return text.replace(/0+$/, '')
}

export function decodeCounts(text: string): number[] {
  return [...text].map((digit) => Math.max(0, DIGITS.indexOf(digit)))
}
