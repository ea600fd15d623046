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
import { type MapTime, makeFrameClock } from './frame-clock.ts'
import { doublesFrameRate, pictureFilters } from './picture-filters.ts'

/** A longer last picture is repeated, unless `mapTime` is given. */
export const longHoldSeconds = 0.3

export type PictureTarget = { size: Size; encoder: Encoder; deliver: Deliver }

type PictureTranscoderOptions = {
  picture: Picture
  /** 0 when unknown. */
  frameRate: number
  endSeconds: number
  /** Largest first: each is scaled from the one before. */
  targets: PictureTarget[]
  /** Output times. */
  range?: { startSeconds: number; endSeconds: number }
  clock: SegmentClock
  maxFrameRate?: number
  /** Else BT.709. */
  keepsColors?: boolean
  /** Per field where fields become pictures. */
  mapTime?: MapTime
}

type PictureTranscoder = PacketSink & {
  /** To be called at a key frame after a discontinuity. */
  jump: () => void
}

export function makePictureTranscoder(
  source: Source,
  options: PictureTranscoderOptions,
): PictureTranscoder {
  const { picture, targets, frameRate, mapTime } = options
  const decoder = openDecoder(source.video, { durationSeconds: options.endSeconds })
  const [largest] = targets
  if (!decoder || !largest) throw new Error('The picture decoder does not open any more.')
  const hasFields = doublesFrameRate(picture, frameRate)
  const mapFieldTime = hasFields ? mapTime : undefined
  const frames = makeFrameClock(source, frameRate, {
    fillsStart: !mapTime,
    ...(options.maxFrameRate && { maxFrameRate: options.maxFrameRate }),
    ...(mapTime && !hasFields && { mapTime }),
  })
  const stairs = makeStairs(options)
  let chain: { shape: string; filters: FilterChain } | null = null

  const onFiltered = (frame: Frame) => {
    if (!chain) return
    const base = chain.filters.sink.buffersinkGetTimeBase()
    const time = rescale(frame.pts, base, pictureClock)
    const pts = mapFieldTime ? mapFieldTime(time) : time
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
      // Field filters need neighbours.
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

const toleranceSeconds = 0.001

/** Also for pictures without a time. */
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

function makeStairs({ targets, clock, frameRate, endSeconds, mapTime }: PictureTranscoderOptions) {
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
  /** Decoders know at most durations in decoding order. */
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
    const isHeld = !mapTime && end - pts > toTimestamp(longHoldSeconds, pictureClock)
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

/** Sources may change size midway. */
function frameShape(frame: Frame): string {
  return [frame.width, frame.height, frame.format, frame.colorSpace, frame.colorRange].join()
}
