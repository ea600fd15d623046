import { AVDISCARD_ALL } from 'node-av/constants'
import type { Packet, Stream } from 'node-av/lib'
import { limitBitRate } from '../encode/bit-rates.ts'
import { type ColorMeaning, openPictureEncoder, pictureClock } from '../encode/encoder.ts'
import type { EncoderName } from '../encode/encoder-name.ts'
import { chooseQuality } from '../encode/rendition-size.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import {
  abandonMp4,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  openMp4,
} from '../package/mp4-output.ts'
import { doublesFrameRate } from '../picture/picture-filters.ts'
import { makePictureTranscoder } from '../picture/picture-transcoder.ts'
import { closeSource, codecName, openSource, readPackets } from '../source/open-source.ts'
import { fitInside, type Picture } from '../source/picture.ts'
import { indexFrameRate, type PictureIndex } from '../source/picture-list.ts'
import { seekSource } from '../source/seek.ts'
import { decodingTime, isTimestamp, toSeconds, toTimestamp } from '../timestamps.ts'
import { describeParts, type KeptPart, type KeptPictures } from './cut-parts.ts'
import { openSoundFeed } from './cut-sound.ts'

/** Limit of H.264 hardware decoders. */
const largest = { width: 4096, height: 2304 }
/** Quality reserve, as smaller sizes are encoded from the result. */
const betterBy = 2
/** A picture may refer across a key frame. */
const keysBack = 2
const toleranceSeconds = 0.0015
/** Limit of ordinary uploads. */
const usualMostFrameRate = 60

export type WholeCut = {
  sourcePath: string
  firstSound?: number | undefined
  outputPath: string
  picture: Picture
  index: PictureIndex
  parts: KeptPart[]
  pictures: KeptPictures
  /** Keeps all speakers. */
  isKept: boolean
  /** Keeps rate and colours. */
  keepsPicture: boolean
  encoder: EncoderName
  onSeconds: (seconds: number) => void
}

export async function cutWhole(cut: WholeCut): Promise<{ width: number; height: number }> {
  const { picture, index, parts } = cut
  const source = await openSource(cut.sourcePath)
  const { video, audio, offsetSeconds } = source
  for (const stream of audio) stream.discard = AVDISCARD_ALL
  const base = video.timeBase
  const inSeconds = (time: number) => (time * base.num) / base.den
  const kept = describeParts(parts, { base, offsetSeconds })
  const total = inSeconds(parts.reduce((sum, { start, end }) => sum + end - start, 0))
  const size = fitInside(picture, boxFor(picture))
  const frameRate = indexFrameRate(index, base)
  const doubled = doublesFrameRate(picture, frameRate)
  const maxFrameRate = cut.keepsPicture ? Number.POSITIVE_INFINITY : usualMostFrameRate
  const outputRate = Math.min(maxFrameRate, doubled ? frameRate * 2 : frameRate)
  const bitRate = (index.bytes * 8 * frameRate) / Math.max(index.times.length, 1)
  const rates = { frameRate: outputRate, codec: codecName(video), bitRate, durationSeconds: total }
  const output = openMp4(cut.outputPath, { kind: 'rewrite' }, total)
  try {
    const encoder = openPictureEncoder({
      size,
      frameRate: outputRate,
      maxBitRate: limitBitRate(size, rates) * betterBy,
      quality: chooseQuality({ ...size, name: Math.min(size.width, size.height) }) - betterBy,
      encoder: cut.encoder,
      durationSeconds: total,
      ...(cut.keepsPicture && { colors: readColors(video) }),
    })
    const track = addEncodedTrack(output, encoder.context)
    const write = deliverTo(output, track, { interleaved: true })
    const sound = await openSoundFeed(output, {
      ...{ sourcePath: cut.sourcePath, firstSound: cut.firstSound, parts: kept },
      isKept: cut.isKept,
    })
    beginMp4(output, { hasEditLists: false })
    let written = 0
    const deliver = (packet: Packet, clock: typeof pictureClock) => {
      written = toSeconds(packet.pts, clock)
      cut.onSeconds(written)
      write(packet, clock)
    }
    const transcoder = makePictureTranscoder(source, {
      picture,
      frameRate,
      endSeconds: total,
      targets: [{ size, encoder, deliver: (packet) => deliver(packet, pictureClock) }],
      clock: makeSegmentClock(null),
      maxFrameRate,
      keepsColors: cut.keepsPicture,
      mapTime: makeTimeMap(cut, (time) => inSeconds(time) - offsetSeconds),
    })
    let read = Number.NEGATIVE_INFINITY
    for (const { start, end } of parts) {
      const key = findKey(index, start)
      if (key > read) {
        if (read > Number.NEGATIVE_INFINITY) transcoder.jump()
        if (key > (index.times[0] ?? 0)) seekSource(source, inSeconds(key))
      }
      if (read >= end) continue
      await readPackets(source, async (packet) => {
        if (packet.streamIndex !== video.index) return true
        const stamp = decodingTime(packet)
        if (isTimestamp(stamp)) read = Math.max(read, Number(stamp))
        await transcoder.push(packet)
        await sound.advanceTo(written)
        return read < end
      })
    }
    await transcoder.finish()
    await sound.finish()
    await finishMp4(output)
  } catch (error) {
    abandonMp4(output)
    throw error
  } finally {
    closeSource(source)
  }
  return size
}

function readColors({ codecpar }: Stream): ColorMeaning {
  const { colorRange, colorSpace, colorPrimaries, colorTrc } = codecpar
  return { colorRange, colorSpace, colorPrimaries, colorTrc }
}

function boxFor({ width, height }: Picture) {
  return width >= height ? largest : { width: largest.height, height: largest.width }
}

function findKey({ times, keys }: PictureIndex, time: number): number {
  const before = keys.map((position) => times[position] ?? 0).filter((key) => key <= time)
  return before.at(-keysBack) ?? times[0] ?? time
}

function makeTimeMap({ parts, pictures }: WholeCut, toPlayback: (time: number) => number) {
  const placed = parts.map(({ start, end, output, from }) => ({
    from: toPlayback(start),
    until: toPlayback(end),
    output: toPlayback(output) - toPlayback(0),
    first: toPlayback(pictures.sources[from] ?? start),
  }))
  let last = -1
  return (time: bigint): bigint | null => {
    const seconds = toSeconds(time, pictureClock)
    for (const [index, { from, until, output, first }] of placed.entries()) {
      const isFirst = Math.abs(seconds - first) < toleranceSeconds
      const isInside = seconds >= from - toleranceSeconds && seconds < until - toleranceSeconds
      if (!isFirst && !isInside) continue
      if (index < last) return null
      // A progressive picture has no second field.
      const isEarliest = isFirst || index > last
      last = index
      return toTimestamp(isEarliest ? output : output + seconds - from, pictureClock)
    }
    return null
  }
}
