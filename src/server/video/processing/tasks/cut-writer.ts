import type { IRational, Packet } from 'node-av/lib'
import type { Deliver } from '../encode/encoder.ts'

export type PictureWriter = {
  /** In decoding order. */
  write: (packet: Packet, time: number) => void
  /** @throws unless all pictures were written */
  finish: () => void
}

/**
 * Decoding times are presentation times `delay` pictures earlier, in units of `base`.
 * @param options.pictures rising presentation times
 */
export function makePictureWriter(options: {
  pictures: Float64Array
  end: number
  /** Reorder depth. */
  delay: number
  base: IRational
  deliver: Deliver
  onPicture: (time: number) => void
}): PictureWriter {
  const { pictures, end, delay, base } = options
  const usual = Math.max(1, Math.round(end / Math.max(pictures.length, 1)))
  const decodeTime = (position: number) =>
    position < delay
      ? (pictures[0] ?? 0) - (delay - position) * usual
      : (pictures[position - delay] ?? 0)
  let written = 0
  return {
    write(packet, time) {
      const dts = decodeTime(written)
      const next = written + 1
      const until = next < pictures.length ? decodeTime(next) : end - delay * usual
      packet.pts = BigInt(time)
      packet.dts = BigInt(dts)
      packet.duration = BigInt(Math.max(1, until - dts))
      written = next
      options.onPicture(Math.max(dts, 0))
      options.deliver(packet, base)
    },
    finish() {
      if (written !== pictures.length) {
        throw new Error(`${written} of ${pictures.length} pictures were written.`)
      }
    },
  }
}
