import type { Frame } from 'node-av/lib'
import { closeChain, type FilterChain, filterFrame, openPictureChain } from '../filter-chain.ts'
import { damagedVideo } from '../media-errors.ts'
import type { PacketSink, Source } from '../source/open-source.ts'
import type { Picture, Size } from '../source/picture.ts'
import { closeDecoder, decodePacket, openDecoder } from '../source/stream-decoder.ts'
import { chosenTimeTolerance, isTimestamp, toSeconds } from '../timestamps.ts'
import { pictureFilters } from './picture-filters.ts'

type PartPictures = PacketSink & { isFull: () => boolean }

type PartPicturesOptions = {
  picture: Picture
  canvas: Size
  frameRate: number
  fromSeconds: number
  frames: number
  /** Valid during the call. */
  take: (frame: Frame) => void
}

/**
 * Letter-boxed, at a constant rate; repeats the first or last picture outside the source. `finish`
 * throws UnplayableSourceError without any.
 */
export function makePartPictures(source: Source, options: PartPicturesOptions): PartPictures {
  const { frameRate, frames, take } = options
  const decoder = openDecoder(source.video)
  if (!decoder) throw new Error('The picture decoder does not open any more.')
  const begin = source.offsetSeconds + options.fromSeconds
  const fit = makeFit(options)
  let shown: Frame | null = null
  let count = 0

  const showUntil = (end: number) => {
    const picture = shown && count < end ? fit.apply(shown) : null
    if (!picture) return
    for (; count < end; count += 1) take(picture)
    picture.free()
  }
  const onFrame = (frame: Frame) => {
    if (!isTimestamp(frame.bestEffortTimestamp)) return true
    const seconds = toSeconds(frame.bestEffortTimestamp, source.video.timeBase) - begin
    // The nearest time: waiting for the next would set the picture a whole frame behind the sound.
    const due = Math.ceil((seconds + chosenTimeTolerance) * frameRate - 0.5)
    if (shown) showUntil(Math.min(frames, due))
    shown?.free()
    shown = frame.clone()
    return count < frames
  }
  return {
    isFull: () => count >= frames,
    push: (packet): undefined => {
      if (count < frames) decodePacket(decoder, packet, onFrame)
    },
    finish: (): undefined => {
      if (count < frames) decodePacket(decoder, null, onFrame)
      if (!shown) throw damagedVideo()
      showUntil(frames)
      shown?.free()
      shown = null
      fit.close()
      closeDecoder(decoder)
    },
  }
}

function sizeInside({ width, height }: Size, canvas: Size): Size {
  const scale = Math.min(canvas.width / width, canvas.height / height)
  const even = (length: number, most: number) =>
    Math.min(most, Math.max(2, 2 * Math.round((length * scale) / 2)))
  return { width: even(width, canvas.width), height: even(height, canvas.height) }
}

/** Sources may change size midway. */
function makeFit({ picture, canvas, frameRate }: PartPicturesOptions) {
  const size = sizeInside(picture, canvas)
  const isWhole = size.width === canvas.width && size.height === canvas.height
  const pad = isWhole ? [] : [`pad=${canvas.width}:${canvas.height}:-1:-1`]
  let chain: { shape: string; filters: FilterChain } | null = null
  let passed = 0
  return {
    apply(frame: Frame): Frame | null {
      const shape = [frame.width, frame.height, frame.format, frame.colorSpace].join()
      if (chain?.shape !== shape) {
        if (chain) closeChain(chain.filters)
        const filters = [...pictureFilters(picture, size, frame, { frameRate }), ...pad]
        chain = { shape, filters: openPictureChain(frame, { num: 1, den: 1000 }, filters) }
      }
      passed += 1
      const results: Frame[] = []
      const input = frame.clone()
      if (!input) throw new Error('A frame could not be copied.')
      input.pts = BigInt(passed)
      filterFrame(chain.filters, input, (filtered) => {
        const copy = filtered.clone()
        if (copy) results.push(copy)
      })
      input.free()
      const [first = null, ...rest] = results
      for (const one of rest) one.free()
      return first
    },
    close: () => chain && closeChain(chain.filters),
  }
}
