import type { MediaProgress } from '../processing/tasks/media-task.ts'

/** How a piece of work gets on, as it is stored and shown. */
type Pace = {
  percent: number
  step: string
  /** Seconds of video in a second; null before it is known. */
  speed: number | null
  secondsLeft: number | null
}

/** Before this much is done, nothing can be said of the rest. */
const leastPercent = 2
const leastElapsedSeconds = 1

/** Makes a function that reports the pace of work that begins now. */
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
