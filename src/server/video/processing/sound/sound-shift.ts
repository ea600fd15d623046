import type { Frame, Packet, Stream } from 'node-av/lib'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from '../filter-chain.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { seekSource } from '../source/seek.ts'
import { closeDecoder, decodePacket, leadInSeconds, openDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'

/** Hz. */
export const lineRate = 4000

/** Search distance and compared length, in seconds. */
export const shiftReach = 0.3
export const shiftWindow = 0.25

/** Mono; gaps are silent. */
export type SoundLine = { fromSeconds: number; samples: Float32Array }

type SoundRange = {
  fromSeconds: number
  untilSeconds: number
  /** Timestamp that counts as 0. */
  startSeconds: number
  firstSound?: number | undefined
}

/** @returns per track; null if undecodable */
export async function readSoundLines(
  path: string,
  range: SoundRange,
): Promise<(SoundLine | null)[]> {
  const { fromSeconds, untilSeconds, startSeconds } = range
  const source = await openSource(path, { firstSound: range.firstSound })
  const tracks = new Map(source.audio.map((stream) => [stream.index, openLine(stream, range)]))
  seekSource(source, fromSeconds + startSeconds - leadInSeconds)
  const unfinished = new Set(tracks.keys())
  await readPackets(source, (packet) => {
    const track = tracks.get(packet.streamIndex)
    if (!track) return true
    track.push(packet)
    const { timeBase } = track.stream
    const isOver =
      isTimestamp(packet.dts) && toSeconds(packet.dts, timeBase) - startSeconds > untilSeconds
    if (isOver) unfinished.delete(packet.streamIndex)
    return unfinished.size > 0
  })
  const lines = [...tracks.values()].map((track) => track.finish())
  closeSource(source)
  return lines
}

function openLine(stream: Stream, { fromSeconds, untilSeconds, startSeconds }: SoundRange) {
  const decoder = openDecoder(stream)
  const mixer = makeMixer(stream)
  const samples = new Float32Array(Math.ceil((untilSeconds - fromSeconds) * lineRate))
  const onFrame = (frame: Frame): undefined => {
    const time = frame.bestEffortTimestamp
    if (!isTimestamp(time)) return
    const seconds = toSeconds(time, stream.timeBase) - startSeconds
    const at = Math.round((seconds - fromSeconds) * lineRate)
    const isNear = at < samples.length && seconds + frame.nbSamples / frame.sampleRate > fromSeconds
    if (!isNear) return
    for (const [index, value] of mixer.mix(frame).entries()) {
      if (at + index >= 0 && at + index < samples.length) samples[at + index] = value
    }
  }
  return {
    stream,
    push: (packet: Packet) => decoder && decodePacket(decoder, packet, onFrame),
    finish: (): SoundLine | null => {
      if (!decoder) return null
      decodePacket(decoder, null, onFrame)
      closeDecoder(decoder)
      mixer.close()
      return { fromSeconds, samples }
    },
  }
}

function makeMixer({ timeBase }: Stream) {
  let chain: { shape: string; filters: FilterChain } | null = null
  const close = () => {
    if (chain) closeChain(chain.filters)
    chain = null
  }
  return {
    close,
    mix(frame: Frame): number[] {
      const step = frame.sampleRate / lineRate
      const shape = [frame.sampleRate, frame.format, frame.channels].join()
      if (chain?.shape !== shape) {
        close()
        const filters = ['aformat=sample_fmts=fltp:channel_layouts=mono']
        chain = { shape, filters: openSoundChain(frame, timeBase, filters) }
      }
      const values: number[] = []
      filterFrame(chain.filters, frame, ({ data, nbSamples }) => {
        const bytes = Buffer.from(data?.[0] ?? [])
        for (let from = 0; Math.floor(from + step) <= nbSamples; from += step) {
          let sum = 0
          for (let at = Math.floor(from); at < Math.floor(from + step); at += 1) {
            sum += bytes.readFloatLE(at * 4)
          }
          values.push(sum)
        }
      })
      return values
    },
  }
}

export type SoundShift = {
  /** Positive when late. */
  seconds: number
  /** Normalized correlation: the best, and the best near the expected place. */
  likeness: number
  likenessInPlace: number
}

/**
 * @param from expected start in each
 * @returns null for near silence
 */
export function findSoundShift(
  lines: { source: SoundLine; result: SoundLine },
  from: { source: number; result: number },
  inPlaceSeconds: number,
): SoundShift | null {
  const { source, result } = lines
  const reach = Math.round(shiftReach * lineRate)
  const length = Math.round(shiftWindow * lineRate)
  const own = Math.round((from.source - source.fromSeconds) * lineRate)
  const made = Math.round((from.result - result.fromSeconds) * lineRate)
  const heard = source.samples.subarray(Math.max(0, own), own + length)
  const silent = heard.filter((value) => Math.abs(value) < leastSample).length
  if (heard.length < length || silent > length / 2) return null
  const best: SoundShift = { seconds: 0, likeness: 0, likenessInPlace: 0 }
  for (let shift = -reach; shift <= reach; shift += 1) {
    const likeness = correlate(heard, result.samples, made + shift)
    if (Math.abs(shift) <= inPlaceSeconds * lineRate) {
      best.likenessInPlace = Math.max(best.likenessInPlace, likeness)
    }
    if (likeness > best.likeness) Object.assign(best, { likeness, seconds: shift / lineRate })
  }
  return best
}

const leastSample = 0.002

function correlate(samples: Float32Array, other: Float32Array, from: number): number {
  let [product, first, second] = [0, 0, 0]
  for (let at = 0; at < samples.length; at += 1) {
    const one = samples[at] ?? 0
    const beside = other[from + at] ?? 0
    product += one * beside
    first += one * one
    second += beside * beside
  }
  return first > 0 && second > 0 ? product / Math.sqrt(first * second) : 0
}
