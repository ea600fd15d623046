import type { PlayerCore } from '../core/player-core.ts'

const SAMPLES = 24
/** A shorter gap is a seek. */
const SHORTEST_FRAME_SECONDS = 1 / 250

/** Measures after each start of playback. @returns a stop function */
export function measureFrames(core: PlayerCore, video: HTMLVideoElement): () => void {
  if (!('requestVideoFrameCallback' in video)) return () => {}
  let handle = 0
  const measure = () => {
    video.cancelVideoFrameCallback(handle)
    const lengths: number[] = []
    let last: VideoFrameCallbackMetadata | undefined
    const addFrame = (_: number, frame: VideoFrameCallbackMetadata) => {
      if (last) {
        const count = frame.presentedFrames - last.presentedFrames
        lengths.push((frame.mediaTime - last.mediaTime) / count)
      }
      last = frame
      if (lengths.length < SAMPLES) handle = video.requestVideoFrameCallback(addFrame)
      else core.frameSeconds = shortest(lengths) ?? core.frameSeconds
    }
    handle = video.requestVideoFrameCallback(addFrame)
  }
  video.addEventListener('playing', measure)
  if (!video.paused) measure()
  return () => {
    video.removeEventListener('playing', measure)
    video.cancelVideoFrameCallback(handle)
  }
}

/** Dropped frames lengthen gaps. */
function shortest(lengths: number[]): number | undefined {
  const real = lengths.filter((length) => length > SHORTEST_FRAME_SECONDS && length < 1)
  return real.length > 0 ? Math.min(...real) : undefined
}
