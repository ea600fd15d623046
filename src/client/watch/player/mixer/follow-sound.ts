const LOOK_EVERY_MS = 100
/** Differences up to this are not corrected. */
const EXACT_SECONDS = 0.004
/** Beyond this the picture is sought. */
const FAR_SECONDS = 0.3
const SEEKS_EVERY_MS = 3000
const CORRECTION_MAX = 0.05
/** A difference is corrected over about this time. */
const CORRECTED_IN_SECONDS = 0.5
/** After a start the first pictures are shown at any time. */
const UNSTEADY_PICTURES = 2
const LEAST_PICTURES = 3
const MOST_PICTURES = 9
const MEASURED_IN_MS = 1000

export type SoundFollower = ReturnType<typeof followSound>

/** Measures the picture of an element against a context, and keeps it with the sound. */
export function followSound(video: HTMLVideoElement, context: AudioContext) {
  const clock = createHeardClock(context)
  const hasFrames = 'requestVideoFrameCallback' in video
  let zero: number | undefined
  let isHeld = false
  let isSeeking = false
  let soughtAt = Number.NEGATIVE_INFINITY
  /** Times of the context at which the video begins, one for each picture. */
  let zeros: number[] = []
  let unsteady = UNSTEADY_PICTURES
  let frame = 0

  const setSpeed = (speed: number) => {
    if (Math.abs(video.playbackRate - speed) > 0.0005) video.playbackRate = speed
  }
  const forget = () => {
    zeros = []
    unsteady = UNSTEADY_PICTURES
  }
  /** By the pictures, or by the element where none are shown. */
  const measured = (): number | undefined => {
    if (document.hidden || !hasFrames) return clock.at(performance.now()) - video.currentTime
    return zeros.length < LEAST_PICTURES ? undefined : median(zeros)
  }
  const note: VideoFrameRequestCallback = (_, { mediaTime, expectedDisplayTime }) => {
    frame = video.requestVideoFrameCallback(note)
    if (isHeld || video.seeking || video.paused) return
    unsteady -= 1
    if (unsteady >= 0) return
    zeros = [...zeros.slice(1 - MOST_PICTURES), clock.at(expectedDisplayTime) - mediaTime]
  }
  const follow = () => {
    clock.look()
    const now = measured()
    if (zero === undefined || now === undefined || isHeld || video.seeking || video.paused) return
    const ahead = zero - now
    if (Math.abs(ahead) > FAR_SECONDS) seek(zero)
    else {
      const share = Math.abs(ahead) < EXACT_SECONDS ? 0 : -ahead / CORRECTED_IN_SECONDS
      setSpeed(1 + Math.min(Math.max(share, -CORRECTION_MAX), CORRECTION_MAX))
    }
  }
  const seek = (videoStart: number) => {
    if (performance.now() - soughtAt < SEEKS_EVERY_MS) return
    soughtAt = performance.now()
    isSeeking = true
    forget()
    setSpeed(1)
    video.currentTime = clock.at(soughtAt) - videoStart + LOOK_EVERY_MS / 1000
  }
  const onSeeked = () => {
    isSeeking = false
    forget()
  }
  video.addEventListener('seeked', onSeeked)
  if (hasFrames) frame = video.requestVideoFrameCallback(note)
  const timer = setInterval(follow, LOOK_EVERY_MS)

  const release = () => {
    if (isHeld) forget()
    isHeld = false
    setSpeed(1)
  }
  return {
    /** The element seeks to follow, and not because of the viewer. */
    isSeeking: () => isSeeking,
    isHeld: () => isHeld,
    /** The picture waits, although the element plays. */
    hold() {
      isHeld = true
      setSpeed(0)
    },
    release,
    /** @returns the time of the context at which the video would have begun */
    async measure(isStale: () => boolean): Promise<number> {
      clock.forget()
      const began = performance.now()
      while (!isStale() && performance.now() - began < MEASURED_IN_MS) {
        clock.look()
        const found = measured()
        if (found !== undefined && clock.isKnown()) return found
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
      return clock.at(performance.now()) - video.currentTime
    },
    /** @param videoStart time of the context at which the video begins */
    begin(videoStart: number) {
      zero = videoStart
    },
    stop() {
      zero = undefined
      isSeeking = false
      forget()
      release()
    },
    close() {
      clearInterval(timer)
      video.removeEventListener('seeked', onSeeked)
      if (hasFrames) video.cancelVideoFrameCallback(frame)
      isHeld = false
    },
  }
}

/** Which time of a context is heard when. Single statements of browsers are off now and then. */
function createHeardClock(context: AudioContext) {
  let offsets: number[] = []
  const look = () => {
    const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp()
    const latency = context.outputLatency || context.baseLatency || 0
    const offset =
      contextTime > 0
        ? contextTime - performanceTime / 1000
        : context.currentTime - latency - performance.now() / 1000
    offsets = [...offsets.slice(-4), offset]
  }
  return {
    look,
    forget() {
      offsets = []
    },
    isKnown: () => offsets.length >= 3,
    /** @param ms as of `performance.now()` */
    at(ms: number): number {
      if (offsets.length === 0) look()
      return median(offsets) + ms / 1000
    },
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
