import { AV_PKT_FLAG_KEY, AVDISCARD_ALL, AVDISCARD_NONKEY } from 'node-av/constants'
import type { Packet } from 'node-av/lib'
import { isStreamed } from '../source/container.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { claimedFrameRate, roundToMs } from '../source/packet-tally.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import type { KeyFramesResult, KeyFramesTask } from './media-task.ts'
import { listStreamedKeyFrames } from './streamed-source.ts'

const MICROSECONDS = { num: 1, den: 1_000_000 }

/** From the container's list, if it has one. */
export async function findKeyFrames(task: KeyFramesTask): Promise<KeyFramesResult> {
  const source = await openSource(task.sourcePath, { trustsIndex: true })
  if (isStreamed(source.container)) {
    closeSource(source)
    return listStreamedKeyFrames(task.sourcePath)
  }
  const { video, audio, input, container, offsetSeconds } = source
  video.discard = AVDISCARD_NONKEY
  for (const stream of audio) stream.discard = AVDISCARD_ALL
  const frameRate = roundToMs(claimedFrameRate(video))
  const seconds = isTimestamp(input.duration) ? toSeconds(input.duration, MICROSECONDS) : 0
  const keyFrameSeconds: number[] = []
  let delay: bigint | undefined
  // Skipping in an MP4, FFmpeg errs in presentation times but not in decoding times; their
  // difference is constant.
  const timeOf = ({ pts, dts }: Packet) => {
    if (container !== 'mp4' || !isTimestamp(pts) || !isTimestamp(dts)) {
      return isTimestamp(pts) ? pts : dts
    }
    delay ??= pts - dts
    return dts + delay
  }
  await readPackets(source, (packet) => {
    if (packet.streamIndex !== video.index || (packet.flags & AV_PKT_FLAG_KEY) === 0) return
    const time = timeOf(packet)
    if (isTimestamp(time)) keyFrameSeconds.push(toSeconds(time, video.timeBase) - offsetSeconds)
  })
  closeSource(source)
  return {
    durationSeconds: roundToMs(Math.max(seconds, keyFrameSeconds.at(-1) ?? 0)),
    frameRate,
    keyFrameSeconds: keyFrameSeconds.map(roundToMs),
  }
}
