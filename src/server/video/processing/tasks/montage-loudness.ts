import { AVDISCARD_ALL } from 'node-av/constants'
import type { Packet } from 'node-av/lib'
import { soundRate } from '../encode/encoder.ts'
import { makeLoudnessMeter } from '../sound/loudness.ts'
import { makePartSound } from '../sound/part-sound.ts'
import { toFrame } from '../sound/sound-joiner.ts'
import { closeSource, openSource, readPackets, type Source } from '../source/open-source.ts'
import { seekSource } from '../source/seek.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'

/** For the decoder's lead-in. */
export const runInSeconds = 0.2

/** Packets may be stored so late. */
const lateSeconds = 5

type SourceRange = { sourcePath: string; fromSeconds: number; toSeconds: number }

/** LUFS of the first track; null for silence. */
export async function measurePart(part: SourceRange): Promise<number | null> {
  const { fromSeconds, toSeconds: endSeconds } = part
  const source = await openSource(part.sourcePath)
  source.video.discard = AVDISCARD_ALL
  const meter = makeLoudnessMeter()
  const sound = makePartSound(source, {
    fromSeconds,
    samples: Math.round((endSeconds - fromSeconds) * soundRate),
    take: (samples) => {
      const frame = toFrame(samples, 0)
      meter.push(frame)
      frame.free()
    },
  })
  const stream = source.audio[0]
  if (sound && stream) {
    seekSource(source, source.offsetSeconds + fromSeconds - runInSeconds)
    await readPackets(source, async (packet) => {
      if (packet.streamIndex === stream.index) await sound.push(packet)
      return !sound.isFull() && !isBeyond(source, packet, endSeconds)
    })
    await sound.finish()
  }
  closeSource(source)
  return meter.finish().integrated
}

/** No earlier packet can follow. */
export function isBeyond(source: Source, packet: Packet, seconds: number): boolean {
  const base = source.input.streams[packet.streamIndex]?.timeBase
  const time = decodingTime(packet)
  if (!base || !isTimestamp(time)) return false
  return toSeconds(time, base) - source.offsetSeconds > seconds + lateSeconds
}
