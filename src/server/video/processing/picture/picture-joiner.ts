import { AV_PIX_FMT_YUV420P } from 'node-av/constants'
import { Frame } from 'node-av/lib'
import { requireSuccess } from '../ffmpeg-calls.ts'

export type PictureJoiner = {
  /** 8-bit 4:2:0, all of one size. */
  push: (frame: Frame) => void
  endPart: () => void
  finish: () => void
}

/**
 * @param fadeFrames overlap; twice as many may be in memory
 * @param take must not keep the picture
 */
export function makePictureJoiner(fadeFrames: number, take: (frame: Frame) => void): PictureJoiner {
  let leaving: Frame[] = []
  let held: Frame[] = []

  const emit = (frame: Frame) => {
    take(frame)
    frame.free()
  }
  return {
    push(frame) {
      const old = leaving.shift()
      held.push(old ? blend(old, frame, 1 - (leaving.length + 1) / (fadeFrames + 1)) : copy(frame))
      old?.free()
      while (held.length > fadeFrames) {
        const next = held.shift()
        if (next) emit(next)
      }
    },
    endPart() {
      for (const frame of leaving) emit(frame)
      leaving = held
      held = []
    },
    finish() {
      for (const frame of [...leaving, ...held]) emit(frame)
      leaving = []
      held = []
    },
  }
}

function copy(frame: Frame): Frame {
  const copied = frame.clone()
  if (!copied) throw new Error('A frame could not be copied.')
  return copied
}

/** @param share of the second */
function blend(first: Frame, second: Frame, share: number): Frame {
  const { width, height } = first
  const result = new Frame()
  result.alloc()
  Object.assign(result, { width, height, format: AV_PIX_FMT_YUV420P })
  requireSuccess(result.getBuffer(), 'make picture')
  requireSuccess(result.copyProps(second), 'copy picture properties')
  const weight = Math.round(share * 256)
  const planes = [result, first, second].map(readPlanes)
  for (const plane of [0, 1, 2]) {
    const [to, from, other] = planes.map((all) => all[plane])
    if (!to || !from || !other) throw new Error('A picture has no planes.')
    const columns = plane === 0 ? width : (width + 1) >> 1
    const rows = plane === 0 ? height : (height + 1) >> 1
    for (let row = 0; row < rows; row += 1) {
      const [at, a, b] = [row * to.stride, row * from.stride, row * other.stride]
      for (let x = 0; x < columns; x += 1) {
        const old = from.bytes[a + x] ?? 0
        to.bytes[at + x] = old + ((((other.bytes[b + x] ?? 0) - old) * weight + 128) >> 8)
      }
    }
  }
  return result
}

function readPlanes({ data, linesize }: Frame) {
  return (data ?? []).map((bytes, index) => ({ bytes, stride: linesize[index] ?? 0 }))
}
