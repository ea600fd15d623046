import type { Stream } from 'node-av/lib'
import type { Deliver } from './encoder.ts'
import type { Lane } from './lane.ts'
import { shiftPacket, toTimestamp } from './timestamps.ts'
import { makeUserDataEraser } from './user-data.ts'

/** Hands a stream's packets on as they are, without what a recorder hid in them for itself. */
export function makeCopyLane(
  stream: Stream,
  { offsetSeconds, deliver }: { offsetSeconds: number; deliver: Deliver },
): Lane {
  const offset = toTimestamp(offsetSeconds, stream.timeBase)
  const base = stream.timeBase
  const erase = makeUserDataEraser(stream)
  return {
    push(packet) {
      erase?.(packet)
      shiftPacket(packet, offset)
      deliver(packet, base)
    },
    finish() {},
  }
}
