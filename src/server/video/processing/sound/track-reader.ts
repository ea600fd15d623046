import { type Frame, Packet } from 'node-av/lib'
import { createResampler, type Placed } from '#shared/sound-resample.ts'
import { damagedVideo } from '../media-errors.ts'
import { isPauseDue, pause } from '../pauses.ts'
import { openSound } from '../source/open-source.ts'
import { closeDecoder, decodePacket, openDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import { countOf, cutSamples, noSamples, readSamples, type Samples } from './sound-joiner.ts'

export type TrackReader = {
  /** Silence after the end. */
  read: (samples: number) => Promise<Samples>
  /** Null until it is known. */
  lengthSamples: () => number | null
  close: () => void
}

/**
 * Reads a sound of the stream as 48 kHz stereo. Each packet is where its time says, as in browsers: FFmpeg's filters would move
 * it by a sample.
 */
export async function openTrackReader(path: string): Promise<TrackReader> {
  const { input, audio } = await openSound(path)
  const decoder = openDecoder(audio)
  if (!decoder) throw damagedVideo()
  const { sampleRate } = audio.codecpar
  const resample = createResampler(sampleRate)
  const queue = createSampleQueue()
  const packet = new Packet()
  packet.alloc()
  let isOver = false
  const onFrame = (frame: Frame): undefined => {
    const time = frame.bestEffortTimestamp
    if (!isTimestamp(time)) return
    const start = Math.round(toSeconds(time, audio.timeBase) * sampleRate)
    const [left, right] = readSamples(frame)
    queue.push(resample({ start, sound: [left, frame.channels > 1 ? right : left] }))
  }
  const readOne = async () => {
    isOver = input.readFrameSync(packet) < 0
    decodePacket(decoder, isOver ? null : packet, onFrame)
    packet.unref()
    if (isPauseDue()) await pause()
  }
  return {
    async read(count) {
      while (queue.waiting() < count && !isOver) await readOne()
      return queue.take(count)
    },
    lengthSamples: () => (isOver ? queue.total() : null),
    close() {
      packet.free()
      closeDecoder(decoder)
      input.closeInputSync()
    },
  }
}

/** Samples from 0 on: gaps are silent, and what is there already stays. */
function createSampleQueue() {
  let parts: Samples[] = []
  let [waiting, total] = [0, 0]
  const add = (samples: Samples) => {
    parts.push(samples)
    waiting += countOf(samples)
    total += countOf(samples)
  }
  return {
    waiting: () => waiting,
    total: () => total,
    push({ start, sound: [left, right] }: Placed) {
      if (start > total) add(noSamples(start - total))
      const known = Math.min(total - start, left.length)
      if (known < left.length) add(cutSamples([left, right], known))
    },
    take(count: number): Samples {
      const taken = noSamples(count)
      let at = 0
      for (const part of parts) {
        if (at === count) break
        const used = Math.min(countOf(part), count - at)
        for (const [channel, values] of taken.entries()) {
          values.set(part[channel]?.subarray(0, used) ?? [], at)
        }
        at += used
      }
      parts = dropFirst(parts, at)
      waiting -= at
      return taken
    },
  }
}

function dropFirst(parts: Samples[], count: number): Samples[] {
  let left = count
  return parts.flatMap((part) => {
    const dropped = Math.min(left, countOf(part))
    left -= dropped
    return dropped < countOf(part) ? [cutSamples(part, dropped)] : []
  })
}
