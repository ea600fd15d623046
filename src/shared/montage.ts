import { MONTAGE_CARD_SECONDS, MONTAGE_FADE_SECONDS } from './limits.ts'

type MontageShape = {
  seconds: readonly number[]
  transition: 'fade' | 'cut'
  titleCard: boolean
}

/** Start of each item; cross-fades overlap. */
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
