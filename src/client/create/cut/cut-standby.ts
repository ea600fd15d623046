/** Hidden and muted lead time in seconds. */
const RUN_UP_SECONDS = 0.25
/** From `play` to the first picture; measured later. */
const START_UP_MS = 80
/** Longest wait. */
const PATIENCE_MS = 1500
/** Seeks into a frame, past its boundary. */
export const INTO_FRAME = 1e-3

type Plan = {
  video: HTMLVideoElement
  /** Target time. */
  at: number
  beginsAt: number
  startedMs: number | undefined
  isMeasured: boolean
}

/** Starts an element early: starting takes several frames and would freeze at each cut. */
export function createStandby(frameRate: number) {
  let plan: Plan | undefined
  let startUpMs = START_UP_MS

  function measure(current: Plan): void {
    const played = current.video.currentTime - current.beginsAt
    if (current.isMeasured || current.startedMs === undefined || played < 0.02) return
    current.isMeasured = true
    const took = performance.now() - current.startedMs - played * 1000
    startUpMs = Math.max(0, Math.min(400, (startUpMs + took) / 2))
  }

  return {
    /** Call for every picture. @param at target after the cut */
    prepare(video: HTMLVideoElement, { at, secondsLeft }: { at: number; secondsLeft: number }) {
      if (plan?.at !== at || plan.video !== video) {
        const beginsAt = Math.max(0, at - RUN_UP_SECONDS) + INTO_FRAME
        plan = { video, at, beginsAt, startedMs: undefined, isMeasured: false }
        video.muted = true
        video.currentTime = beginsAt
      } else if (plan.startedMs !== undefined) {
        measure(plan)
      } else if (secondsLeft <= at - plan.beginsAt + startUpMs / 1000) {
        plan.startedMs = performance.now()
        void video.play().catch(() => undefined)
      }
    },
    /** Playing, starting, or unavailable. */
    stateAt(at: number): 'there' | 'coming' | 'absent' {
      if (plan?.at !== at || plan.startedMs === undefined) return 'absent'
      measure(plan)
      if (plan.video.currentTime >= at - 0.5 / frameRate) return 'there'
      return performance.now() - plan.startedMs < PATIENCE_MS ? 'coming' : 'absent'
    },
    /** Releases it, unused or taken over. */
    drop(): void {
      plan = undefined
    },
  }
}
