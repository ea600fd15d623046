import { MONTAGE_CARD_SECONDS, MONTAGE_FADE_SECONDS } from './limits.ts'

type MontageShape = {
  /** Of its items, in their order. */
  seconds: readonly number[]
  transition: 'fade' | 'cut'
  titleCard: boolean
}

/** Where each item of a montage begins, in seconds, and how long the whole is: cross-fades overlap. */
export function planMontage({ seconds, transition, titleCard }: MontageShape): {
  starts: number[]
  totalSeconds: number
} {
  const overlap = transition === 'fade' ? MONTAGE_FADE_SECONDS : 0
  let end = titleCard ? MONTAGE_CARD_SECONDS : 0
  const starts = seconds.map((length) => {
    const start = Math.max(0, end - overlap)
    end = start + length
    return start
  })
  return { starts, totalSeconds: end }
}
