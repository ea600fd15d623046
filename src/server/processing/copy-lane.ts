import type { Stream } from 'node-av/lib'
import type { Lane } from './lane.ts'
import { addCopiedTrack, type Mp4Output, writePacket } from './mp4-output.ts'
import { shiftPacket, toTimestamp } from './timestamps.ts'

/** Hands a stream's packets on as they are. `interleaved` is as for `writePacket`. */
export function makeCopyLane(
  output: Mp4Output,
  stream: Stream,
  { offsetSeconds, interleaved }: { offsetSeconds: number; interleaved: boolean },
): Lane {
  const track = addCopiedTrack(output, stream)
  const offset = toTimestamp(offsetSeconds, stream.timeBase)
  const base = stream.timeBase
  return {
    push(packet) {
      shiftPacket(packet, offset)
      writePacket(output, track, packet, { base, interleaved })
    },
    finish() {},
  }
}
