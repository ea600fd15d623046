import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import type { Source } from './open-source.ts'

const microseconds = 1_000_000

/** To a key frame before, or the start. */
export function seekSource(source: Source, fileSeconds: number): void {
  const { input, video } = source
  if (isTimestamp(video.startTime) && fileSeconds < toSeconds(video.startTime, video.timeBase)) {
    if (seekStart(source)) return
  }
  const seek = (seconds: number) =>
    input.seekFrameSync(-1, BigInt(Math.round(seconds * microseconds)), AVSEEK_FLAG_BACKWARD)
  if (seek(fileSeconds) < 0) seek(Math.min(0, fileSeconds))
}

/** FFmpeg skips sound before the first picture unless it seeks by the sound. */
function seekStart({ input, video, audio }: Source): boolean {
  const [first] = [video, ...audio]
    .filter(({ startTime }) => isTimestamp(startTime))
    .sort((a, b) => toSeconds(a.startTime, a.timeBase) - toSeconds(b.startTime, b.timeBase))
  return (
    first !== undefined &&
    input.seekFrameSync(first.index, first.startTime, AVSEEK_FLAG_BACKWARD) >= 0
  )
}
