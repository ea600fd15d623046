import type { Frame } from 'node-av/lib'
import {
  closeSource,
  openSource,
  readPackets,
} from '#server/video/processing/source/open-source.ts'
import {
  closeDecoder,
  decodePacket,
  openDecoder,
} from '#server/video/processing/source/stream-decoder.ts'
import { isTimestamp, toSeconds } from '#server/video/processing/timestamps.ts'

/** Samples a second of what is compared. */
export const RATE = 4000

/** How far from its place a sound is looked for, and how long the stretch is that is compared; seconds. */
const REACH = 0.3
export const WINDOW = 0.25

/** Of the same sound after it was encoded again; normalized correlation, 1 at most. */
const leastLikeness = 0.5

/** Sound by its time of playback, in one channel; silence where there is none. */
export type SoundLine = { samples: Float32Array; seconds: number }

/**
 * Decodes a sound track and puts each frame where its timestamp says.
 * @param options.track from 0
 * @param options.startSeconds the timestamp at which playback begins; 0, as for players, by default
 */
export async function readSoundLine(
  path: string,
  { track = 0, startSeconds = 0 }: { track?: number; startSeconds?: number } = {},
): Promise<SoundLine> {
  const source = await openSource(path)
  const stream = source.audio[track]
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) throw new Error(`${path} has no sound ${track}.`)
  const pieces: { at: number; values: Float32Array }[] = []
  const onFrame = (frame: Frame): undefined => {
    if (!isTimestamp(frame.bestEffortTimestamp)) return
    const seconds = toSeconds(frame.bestEffortTimestamp, stream.timeBase) - startSeconds
    pieces.push({ at: Math.round(seconds * RATE), values: mix(frame) })
  }
  await readPackets(source, (packet) => {
    if (packet.streamIndex === stream.index) decodePacket(decoder, packet, onFrame)
    return true
  })
  decodePacket(decoder, null, onFrame)
  closeDecoder(decoder)
  closeSource(source)
  const end = Math.max(0, ...pieces.map(({ at, values }) => at + values.length))
  const samples = new Float32Array(end)
  for (const { at, values } of pieces) {
    for (const [index, value] of values.entries()) if (at + index >= 0) samples[at + index] = value
  }
  return { samples, seconds: end / RATE }
}

function mix(frame: Frame): Float32Array {
  const planes = (frame.data ?? []).map((plane) => {
    const bytes = Buffer.from(plane)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  })
  const step = frame.sampleRate / RATE
  return Float32Array.from({ length: Math.round(frame.nbSamples / step) }, (_, index) => {
    let sum = 0
    for (let at = Math.floor(index * step); at < Math.floor((index + 1) * step); at += 1) {
      for (const plane of planes) sum += plane[at] ?? 0
    }
    return sum
  })
}

/**
 * By how many seconds a result has a stretch of sound later than its source; null where it does not have it at all.
 * @param from where it begins in the source, and where it should in the result
 */
export function measureShift(
  result: SoundLine,
  source: SoundLine,
  from: { source: number; result: number },
): number | null {
  const reach = Math.round(REACH * RATE)
  const length = Math.round(WINDOW * RATE)
  const [own, made] = [Math.round(from.source * RATE), Math.round(from.result * RATE)]
  let best = { shift: 0, likeness: 0 }
  for (let shift = -reach; shift <= reach; shift += 1) {
    let [product, first, second] = [0, 0, 0]
    for (let at = 0; at < length; at += 1) {
      const one = source.samples[own + at] ?? 0
      const other = result.samples[made + shift + at] ?? 0
      product += one * other
      first += one * one
      second += other * other
    }
    const likeness = first > 0 && second > 0 ? product / Math.sqrt(first * second) : 0
    if (likeness > best.likeness) best = { shift, likeness }
  }
  return best.likeness < leastLikeness ? null : best.shift / RATE
}
