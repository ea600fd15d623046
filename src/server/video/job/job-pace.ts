import type { MediaProgress } from '../processing/tasks/media-task.ts'

type Pace = {
  percent: number
  step: string
  /** Seconds of video per second. */
  speed: number | null
  secondsLeft: number | null
}

/** Below, estimates are too inaccurate. */
const leastPercent = 2
const leastElapsedSeconds = 1

/** Measures from the moment of the call. */
export function makePace(now: () => number = () => performance.now()) {
  const begunAt = now()
  return ({ percent, stage, doneSeconds }: MediaProgress): Pace => {
    const elapsed = (now() - begunAt) / 1000
    const isKnown = percent >= leastPercent && elapsed >= leastElapsedSeconds
    return {
      percent,
      step: stage,
      speed: isKnown && doneSeconds > 0 ? Math.round((doneSeconds / elapsed) * 100) / 100 : null,
      secondsLeft: isKnown ? Math.round((elapsed * (100 - percent)) / percent) : null,
    }
  }
}
