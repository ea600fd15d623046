import type { Packet, Stream } from 'node-av/lib'
import { isTimestamp, toTimestamp } from '../timestamps.ts'

const mostHeld = 16

/** In frames. */
const leastGap = 1.5

export type PictureSink = { push: (packet: Packet) => void; finish: () => void }

/**
 * Places pictures without a time, as in program streams, in gaps. `write` must not keep the packet.
 */
export function fillPictureTimes(stream: Stream, write: (packet: Packet) => void): PictureSink {
  const { avgFrameRate, timeBase } = stream
  const frame = avgFrameRate.num > 0 ? toTimestamp(1 / avgFrameRate.toDouble(), timeBase) : 0n
  const shown: bigint[] = []
  const held: Packet[] = []
  let lastDts: bigint | null = null

  const note = ({ pts }: Packet) => {
    if (!isTimestamp(pts)) return
    shown.push(pts)
    if (shown.length > 2 * mostHeld) shown.shift()
  }
  const pass = (packet: Packet) => {
    if (!isTimestamp(packet.dts) && lastDts !== null) packet.dts = lastDts + frame
    if (!isTimestamp(packet.pts) && isTimestamp(packet.dts)) {
      packet.pts = findMissing(shown, { from: packet.dts, frame }) ?? packet.dts
      note(packet)
    }
    if (isTimestamp(packet.dts)) lastDts = packet.dts
    write(packet)
  }
  const hasTime = ({ pts, dts }: Packet) => isTimestamp(pts) || isTimestamp(dts)
  const release = (most: number) => {
    for (let [first] = held; first && (held.length > most || hasTime(first)); [first] = held) {
      held.shift()
      pass(first)
      first.free()
    }
  }
  return {
    push(packet) {
      note(packet)
      const waits = held.length > 0 || (!hasTime(packet) && frame > 0n)
      const copy = waits ? packet.clone() : null
      if (copy) held.push(copy)
      else pass(packet)
      release(mostHeld)
    },
    finish: () => release(0),
  }
}

function findMissing(
  shown: readonly bigint[],
  { from, frame }: { from: bigint; frame: bigint },
): bigint | undefined {
  const times = shown.toSorted((one, other) => (one < other ? -1 : 1))
  const position = times.findIndex((time, index) => {
    const next = times[index + 1]
    if (next === undefined || time + frame < from - frame / 2n) return false
    return Number(next - time) > leastGap * Number(frame)
  })
  const before = times[position]
  return before === undefined ? undefined : before + frame
}
