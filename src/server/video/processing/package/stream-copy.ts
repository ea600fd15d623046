import type { Stream } from 'node-av/lib'
import type { Deliver } from '../encode/encoder.ts'
import { makeUserDataEraser } from '../encode/user-data.ts'
import type { PacketSink } from '../source/open-source.ts'
import { shiftPacket, toTimestamp } from '../timestamps.ts'

export function copyStream(
  stream: Stream,
  { offsetSeconds, deliver }: { offsetSeconds: number; deliver: Deliver },
): PacketSink {
  const offset = toTimestamp(offsetSeconds, stream.timeBase)
  const base = stream.timeBase
  const erase = makeUserDataEraser(stream)
  return {
    push(packet): undefined {
      erase?.(packet)
      shiftPacket(packet, offset)
      deliver(packet, base)
    },
    finish: () => undefined,
  }
}
