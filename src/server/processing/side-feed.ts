import { AVDISCARD_ALL } from 'node-av/constants'
import { Packet } from 'node-av/lib'
import type { Lane } from './lane.ts'
import { closeSource, openSource, readPacket, type Source } from './open-source.ts'
import { isTimestamp, toSeconds } from './timestamps.ts'

/** A file that is read beside another one, as far as that one has come. */
export type SideFeed = {
  source: Source
  /** Gives a stream's packets to a lane; the others are not read. */
  connect: (streamIndex: number, lane: Lane) => void
  /** Hands over what begins before this time of playback. */
  advanceTo: (seconds: number) => void
  /** Hands over the rest and closes the file. */
  finish: () => void
}

/** @throws UnplayableSourceError when the file is no video */
export async function openSideFeed(path: string): Promise<SideFeed> {
  const source = await openSource(path)
  const lanes = new Map<number, Lane>()
  const packet = new Packet()
  packet.alloc()
  let seconds = Number.NEGATIVE_INFINITY
  let isOver = false

  const readOne = () => {
    const code = readPacket(source, packet)
    isOver = code < 0
    const stream = source.input.streams[packet.streamIndex]
    if (!isOver && stream) {
      const time = isTimestamp(packet.dts) ? packet.dts : packet.pts
      if (isTimestamp(time)) seconds = toSeconds(time, stream.timeBase) - source.offsetSeconds
      lanes.get(packet.streamIndex)?.push(packet)
    }
    packet.unref()
  }
  return {
    source,
    connect: (streamIndex, lane) => lanes.set(streamIndex, lane),
    advanceTo: (until) => {
      for (const stream of source.input.streams) {
        if (!lanes.has(stream.index)) stream.discard = AVDISCARD_ALL
      }
      while (!isOver && seconds < until) readOne()
    },
    finish: () => {
      while (!isOver) readOne()
      packet.free()
      for (const lane of lanes.values()) lane.finish()
      closeSource(source)
    },
  }
}
