import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import {
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  pictureClock,
} from '../encode/encoder.ts'
import type { SegmentClock } from '../encode/segment-clock.ts'
import { closeChain, type FilterChain, filterFrame, openPictureChain } from '../filter-chain.ts'
import type { PacketSink, Source } from '../source/open-source.ts'
import type { Picture, Size } from '../source/picture.ts'
import { closeDecoder, decodePacket, openDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, rescale, toSeconds, toTimestamp } from '../timestamps.ts'
import { makeFrameClock, type Place } from './frame-clock.ts'
import { doublesFrameRate, pictureFilters } from './picture-filters.ts'

/**
 * A last picture that is shown for longer than this comes once more, so that the stream lasts as long; not where pictures have
 * been given their places.
 */
export const longHoldSeconds = 0.3

/** One size that the picture is encoded at. */
export type PictureTarget = { size: Size; encoder: Encoder; deliver: Deliver }

type PictureTranscoderOptions = {
  picture: Picture
  /** Average pictures per second of the source; 0 when unknown. */
  frameRate: number
  /** Where the picture shown last ends. */
  endSeconds: number
  /** Largest first: each is made from the one before. */
  targets: PictureTarget[]
  /** What is kept of the source, in the times that its pictures get; all of it by default. */
  range?: { startSeconds: number; endSeconds: number }
  /** Says which pictures become key frames, in all sizes alike. */
  clock: SegmentClock
  /** How many a second are kept at most; 60 by default. */
  maxFrameRate?: number
  /** The colours stay as they are stored, in pictures of 8 bits and 4:2:0; they become those of BT.709 by default. */
  keepsColors?: boolean
  /**
   * Gives a picture another time, in `pictureClock`; null for one that is left out. Each keeps its own by default. Where fields
   * become pictures of their own it is asked of each of these.
   */
  place?: Place
}

type PictureTranscoder = PacketSink & {
  /** To be called where the packets that follow do not go on from those before: at a key frame. */
  jump: () => void
}

/**
 * Decodes the picture once, makes it what players expect, and encodes it at each of the sizes.
 */
export function makePictureTranscoder(
  source: Source,
  options: PictureTranscoderOptions,
): PictureTranscoder {
  const { picture, targets, frameRate, place } = options
  const decoder = openDecoder(source.video, { durationSeconds: options.endSeconds })
  const [largest] = targets
  if (!decoder || !largest) throw new Error('The picture decoder does not open any more.')
  const hasFields = doublesFrameRate(picture, frameRate)
  const placeField = hasFields ? place : undefined
  const frames = makeFrameClock(source, frameRate, {
    fillsStart: !place,
    ...(options.maxFrameRate && { maxFrameRate: options.maxFrameRate }),
    ...(place && !hasFields && { place }),
  })
  const stairs = makeStairs(options)
  let chain: { shape: string; filters: FilterChain } | null = null

  const onFiltered = (frame: Frame) => {
    if (!chain) return
    const base = chain.filters.sink.buffersinkGetTimeBase()
    const time = rescale(frame.pts, base, pictureClock)
    const pts = placeField ? placeField(time) : time
    if (pts === null) return
    frame.pts = pts
    frame.duration = rescale(frame.duration, base, pictureClock)
    frame.timeBase = pictureClock
    stairs.push(frame)
  }
  const closeOldChain = () => {
    if (!chain) return
    filterFrame(chain.filters, null, onFiltered)
    closeChain(chain.filters)
    chain = null
  }
  const onFrame = (frame: Frame): undefined => {
    if (!isWithin(source, frame, options.range)) return
    const pts = frames.stamp(frame)
    if (pts === null) return
    frame.pts = pts
    frame.duration = rescale(frame.duration, source.video.timeBase, pictureClock)
    const shape = frameShape(frame)
    if (chain?.shape !== shape) {
      closeOldChain()
      const { keepsColors = false } = options
      const filters = pictureFilters(picture, largest.size, frame, { frameRate, keepsColors })
      chain = { shape, filters: openPictureChain(frame, pictureClock, filters) }
    }
    filterFrame(chain.filters, frame, onFiltered)
  }
  return {
    push: (packet): undefined => {
      frames.notePacket(packet)
      decodePacket(decoder, packet, onFrame)
    },
    jump: () => {
      decodePacket(decoder, null, onFrame)
      decoder.context.flushBuffers()
      // Fields are completed from the pictures before and after them, which are others from here on.
      if (hasFields) closeOldChain()
    },
    finish: (): undefined => {
      decodePacket(decoder, null, onFrame)
      closeOldChain()
      stairs.finish()
      closeDecoder(decoder)
    },
  }
}

/** Times are compared across clocks of different units. */
const toleranceSeconds = 0.001

/** Whether a picture is on the screen at any time of a range; one without a time is. */
function isWithin(
  { video, offsetSeconds }: Source,
  frame: Frame,
  range: PictureTranscoderOptions['range'],
): boolean {
  if (!range || !isTimestamp(frame.bestEffortTimestamp)) return true
  const seconds = toSeconds(frame.bestEffortTimestamp, video.timeBase) - offsetSeconds
  const end = seconds + toSeconds(frame.duration, video.timeBase)
  const isOver = end <= range.startSeconds + toleranceSeconds && seconds < range.startSeconds
  return !isOver && seconds < range.endSeconds - toleranceSeconds
}

/** Encodes a finished picture at the largest size, and shrinks it from step to step for the others. */
function makeStairs({ targets, clock, frameRate, endSeconds, place }: PictureTranscoderOptions) {
  const steps = targets.map((target) => ({ ...target, shrink: null as FilterChain | null }))
  const end = toTimestamp(endSeconds, pictureClock)
  const oneFrame = toTimestamp(1 / Math.min(frameRate || 60, 60), pictureClock)
  let waiting: Frame | null = null

  const pushTo = (index: number, frame: Frame, isKey: boolean) => {
    const step = steps[index]
    if (!step) return
    const next = steps[index + 1]
    const copy = next && frame.clone()
    frame.pictType = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    encodeFrame(step.encoder, frame, step.deliver)
    if (!next || !copy) return
    step.shrink ??= openPictureChain(copy, pictureClock, [
      `scale=${next.size.width}:${next.size.height}:flags=bicubic`,
      'format=yuv420p',
    ])
    filterFrame(step.shrink, copy, (smaller) => pushTo(index + 1, smaller, isKey))
    copy.free()
  }
  /** A picture is shown until the next one: decoders tell how long in the order of decoding at best. */
  const pushWaiting = (until: bigint) => {
    if (!waiting) return
    waiting.duration = until - waiting.pts
    pushTo(0, waiting, clock(toSeconds(waiting.pts, pictureClock)))
    waiting.free()
    waiting = null
  }
  const pushLast = () => {
    if (!waiting) return
    const { pts } = waiting
    const isHeld = !place && end - pts > toTimestamp(longHoldSeconds, pictureClock)
    const repeated = isHeld && waiting.clone()
    if (repeated) {
      repeated.pts = end - oneFrame
      pushWaiting(repeated.pts)
      waiting = repeated
      pushWaiting(end)
    } else pushWaiting(end > pts ? end : pts + oneFrame)
  }
  return {
    push(frame: Frame) {
      // A change of the source's shape may send a picture of the old filters late.
      if (waiting && frame.pts <= waiting.pts) return
      pushWaiting(frame.pts)
      waiting = frame.clone()
    },
    finish() {
      pushLast()
      for (const step of steps) {
        if (step.shrink) closeChain(step.shrink)
        encodeFrame(step.encoder, null, step.deliver)
        closeEncoder(step.encoder)
      }
    },
  }
}

/** A recording may change its picture size on the way: then it gets new filters, to the same size. */
function frameShape(frame: Frame): string {
  return [frame.width, frame.height, frame.format, frame.colorSpace, frame.colorRange].join()
}
