/** `times` is a figure that is a ratio already. */
export type Unit = 'req/s' | 'MB/s' | 's' | 'ms' | 'MB' | 'kB' | '/h' | 'times'

/** What a figure should be: so many times its floor, so much of its own unit, or one and the other together. */
export type Goal = {
  is: 'at least' | 'at most'
  /** The floor, so many times. */
  times?: number
  /** In the figure's own unit. */
  plus?: number
}

/** A figure of ours, and its floor; null when it stands alone. */
type Figure = { goal?: Goal; ours: number; floor: number | null }

type Verdict = 'met' | 'missed' | 'unknown'

export const atLeastTimes = (times: number): Goal => ({ is: 'at least', times })

/** @param figure in the unit of what is measured */
export const atLeast = (figure: number): Goal => ({ is: 'at least', plus: figure })

/** @param plus in the figure's own unit, on top of the floor's part */
export const atMostTimes = (times: number, plus?: number): Goal => ({
  is: 'at most',
  times,
  ...(plus !== undefined && { plus }),
})

/** @param figure in the unit of what is measured */
export const atMost = (figure: number): Goal => ({ is: 'at most', plus: figure })

/** `unknown` for a figure without a goal, and where the machine has no floor or does not report the figure. */
export function judge({ goal, ours, floor }: Figure): Verdict {
  if (!goal || Number.isNaN(ours)) return 'unknown'
  if (goal.times !== undefined && floor === null) return 'unknown'
  const limit = (goal.times ?? 0) * (floor ?? 0) + (goal.plus ?? 0)
  const isMet = goal.is === 'at least' ? ours >= limit : ours <= limit
  return isMet ? 'met' : 'missed'
}

/** '≥ 0.8', '≤ 8 ms', '≤ 1.5 + 0.1 s'; plain numbers are ratios. */
export function formatGoal({ is, times, plus }: Goal, unit: Unit): string {
  const amount = unit === 'times' ? plus : `${plus} ${unit}`
  const parts = [times, plus === undefined ? undefined : amount]
  return `${is === 'at least' ? '≥' : '≤'} ${parts.filter((part) => part !== undefined).join(' + ')}`
}
