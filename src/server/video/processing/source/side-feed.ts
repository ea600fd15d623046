import { AVDISCARD_ALL } from 'node-av/constants'
import { Packet } from 'node-av/lib'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import type { PacketSink } from './open-source.ts'
import { closeSource, openSource, readPacket, type Source } from './open-source.ts'

/** A file that is read beside another one, as far as that one has come. */
export type SideFeed = {
  source: Source
  /** Gives a stream's packets to a sink; the others are not read. */
  connect: (streamIndex: number, sink: PacketSink) => void
  /** Passes on what begins before this time of playback. */
  advanceTo: (seconds: number) => void
  /** Passes on the rest and closes the file. */
  finish: () => void
}

/** @throws UnplayableSourceError when the file is no video */
export async function openSideFeed(path: string): Promise<SideFeed> {
  const source = await openSource(path)
  const sinks = new Map<number, PacketSink>()
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
      sinks.get(packet.streamIndex)?.push(packet)
    }
    packet.unref()
  }
  return {
    source,
    connect: (streamIndex, sink) => sinks.set(streamIndex, sink),
    advanceTo: (until) => {
      for (const stream of source.input.streams) {
        if (!sinks.has(stream.index)) stream.discard = AVDISCARD_ALL
      }
      while (!isOver && seconds < until) readOne()
    },
    finish: () => {
      while (!isOver) readOne()
      packet.free()
      for (const sink of sinks.values()) sink.finish()
      closeSource(source)
    },
  }
}
