import { AV_PKT_FLAG_DISCARD, AV_PKT_FLAG_KEY, AVDISCARD_ALL } from 'node-av/constants'
import type { IRational, Packet } from 'node-av/lib'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import { readPackets, type Source } from './open-source.ts'

/** Decoding order, source clock. */
export type PictureIndex = {
  times: Float64Array
  /** Indices in `times`. */
  keys: number[]
  /** Presentation order. */
  shown: Float64Array
  end: number
  bytes: number
  lacksTimes: boolean
  /** Hidden by an edit list, but needed for decoding. */
  hasHidden: boolean
}

/** 0 when unknown. */
export function indexFrameRate({ times, shown, end }: PictureIndex, base: IRational): number {
  const span = toSeconds(BigInt(Math.round(end - (shown[0] ?? 0))), base)
  return span > 0 ? times.length / span : 0
}

/** A second field comes halfway to the next picture. */
export function listFieldTimes({ shown, end }: PictureIndex): Float64Array {
  const fields = new Float64Array(shown.length * 2)
  for (const [position, time] of shown.entries()) {
    fields[position * 2] = time
    fields[position * 2 + 1] = (time + (shown[position + 1] ?? end)) / 2
  }
  return fields
}

/** For reordered pictures. */
const marginSeconds = 10

/** For a freshly opened source; decodes nothing. */
export async function indexPictures(
  source: Source,
  options: { untilSeconds: number; onKey: (packet: Packet, source: Source) => void },
): Promise<PictureIndex> {
  const { video, audio, offsetSeconds } = source
  for (const stream of audio) stream.discard = AVDISCARD_ALL
  const read: number[] = []
  const found = { keys: [] as number[], bytes: 0, lacksTimes: false, hasHidden: false }
  let last = { time: Number.NEGATIVE_INFINITY, duration: 0 }
  const until = options.untilSeconds + offsetSeconds + marginSeconds
  await readPackets(source, (packet) => {
    if (packet.streamIndex !== video.index) return
    found.lacksTimes ||= !isTimestamp(packet.pts)
    const stamp = isTimestamp(packet.pts) ? packet.pts : packet.dts
    if (!isTimestamp(stamp)) return
    const time = Number(stamp)
    if ((packet.flags & AV_PKT_FLAG_KEY) !== 0) {
      found.keys.push(read.length)
      options.onKey(packet, source)
    }
    found.hasHidden ||= (packet.flags & AV_PKT_FLAG_DISCARD) !== 0
    read.push(time)
    found.bytes += packet.size
    if (time > last.time) last = { time, duration: Number(packet.duration) }
    const order = isTimestamp(packet.dts) ? packet.dts : stamp
    return toSeconds(order, video.timeBase) < until
  })
  const times = new Float64Array(read)
  const shown = times.toSorted()
  const usual = (last.time - (shown[0] ?? 0)) / Math.max(1, times.length - 1)
  const end = last.time + (last.duration > 0 ? last.duration : Math.round(usual))
  return { ...found, times, shown, end }
}
