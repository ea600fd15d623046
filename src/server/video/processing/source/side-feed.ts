import { AVDISCARD_ALL } from 'node-av/constants'
import { Packet } from 'node-av/lib'
import { isPauseDue, pause } from '../pauses.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import type { PacketSink } from './open-source.ts'
import { closeSource, openSource, readPacket, type Source } from './open-source.ts'

export type SideFeed = {
  source: Source
  connect: (streamIndex: number, sink: PacketSink) => void
  /** In playback time. */
  advanceTo: (seconds: number) => Promise<void>
  /** Closes the file. `onSeconds` in playback time. */
  finish: (onSeconds?: (seconds: number) => void) => Promise<void>
}

export async function openSideFeed(path: string): Promise<SideFeed> {
  const source = await openSource(path)
  const sinks = new Map<number, PacketSink>()
  const packet = new Packet()
  packet.alloc()
  let seconds = Number.NEGATIVE_INFINITY
  let isOver = false

  const readOne = async () => {
    const code = readPacket(source, packet)
    isOver = code < 0
    const stream = source.input.streams[packet.streamIndex]
    if (!isOver && stream) {
      const time = decodingTime(packet)
      if (isTimestamp(time)) seconds = toSeconds(time, stream.timeBase) - source.offsetSeconds
      const pushed = sinks.get(packet.streamIndex)?.push(packet)
      if (pushed) await pushed
    }
    packet.unref()
    if (isPauseDue()) await pause()
  }
  return {
    source,
    connect: (streamIndex, sink) => {
      const others = sinks.get(streamIndex)
      sinks.set(streamIndex, others ? joinSinks([others, sink]) : sink)
    },
    advanceTo: async (until) => {
      for (const stream of source.input.streams) {
        if (!sinks.has(stream.index)) stream.discard = AVDISCARD_ALL
      }
      while (!isOver && seconds < until) await readOne()
    },
    finish: async (onSeconds) => {
      while (!isOver) {
        await readOne()
        onSeconds?.(seconds)
      }
      packet.free()
      for (const sink of sinks.values()) await sink.finish()
      closeSource(source)
    },
  }
}

/** A copy each, as sinks change packets. */
export function joinSinks(sinks: PacketSink[]): PacketSink {
  return {
    push: async (packet) => {
      for (const sink of sinks) {
        const copy = packet.clone()
        if (!copy) throw new Error('A packet could not be copied.')
        const pushed = sink.push(copy)
        if (pushed) await pushed
        copy.free()
      }
    },
    finish: async () => {
      for (const sink of sinks) await sink.finish()
    },
  }
}
