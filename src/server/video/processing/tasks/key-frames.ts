import { AV_PKT_FLAG_KEY, AVDISCARD_ALL, AVDISCARD_NONKEY } from 'node-av/constants'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { roundToMs } from '../source/packet-tally.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import type { KeyFramesResult, KeyFramesTask } from './media-task.ts'

const MICROSECONDS = { num: 1, den: 1_000_000 }

/** Reads the key frames of a video and nothing else, where its container tells which they are. */
export async function findKeyFrames(task: KeyFramesTask): Promise<KeyFramesResult> {
  const source = await openSource(task.sourcePath)
  const { video, audio, input, offsetSeconds } = source
  video.discard = AVDISCARD_NONKEY
  for (const stream of audio) stream.discard = AVDISCARD_ALL
  const { avgFrameRate } = video
  const frameRate = avgFrameRate.num > 0 ? roundToMs(avgFrameRate.toDouble()) : 0
  const seconds = isTimestamp(input.duration) ? toSeconds(input.duration, MICROSECONDS) : 0
  const keyFrameSeconds: number[] = []
  await readPackets(source, (packet) => {
    if (packet.streamIndex !== video.index || (packet.flags & AV_PKT_FLAG_KEY) === 0) return
    const time = isTimestamp(packet.pts) ? packet.pts : packet.dts
    if (isTimestamp(time)) keyFrameSeconds.push(toSeconds(time, video.timeBase) - offsetSeconds)
  })
  closeSource(source)
  return {
    durationSeconds: roundToMs(Math.max(seconds, keyFrameSeconds.at(-1) ?? 0)),
    frameRate,
    keyFrameSeconds: keyFrameSeconds.map(roundToMs),
  }
}
