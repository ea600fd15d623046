/** It begins to play so long before its picture is wanted, in seconds, unseen and unheard. */
const RUN_UP_SECONDS = 0.25
/** What browsers take from `play` to the first picture; measured from then on. */
const START_UP_MS = 80
/** After so long it is not worth waiting for any more. */
const PATIENCE_MS = 1500
/** A time between two frames shows the later one for sure. */
export const INTO_FRAME = 1e-3

type Plan = {
  video: HTMLVideoElement
  /** Where it is wanted. */
  at: number
  beginsAt: number
  startedMs: number | undefined
  isMeasured: boolean
}

/**
 * Has an element play already when it is wanted: starting one takes several pictures' time, which would be seen as a
 * standstill at each cut.
 */
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
    /** Called with every picture before a cut. @param at where to play on behind it */
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
    /** Whether it plays at a time already, will in a moment, or is not to be counted on. */
    stateAt(at: number): 'there' | 'coming' | 'absent' {
      if (plan?.at !== at || plan.startedMs === undefined) return 'absent'
      measure(plan)
      if (plan.video.currentTime >= at - 0.5 / frameRate) return 'there'
      return performance.now() - plan.startedMs < PATIENCE_MS ? 'coming' : 'absent'
    },
    /** What was prepared is not wanted, or in use from now on. */
    drop(): void {
      plan = undefined
    },
  }
}
