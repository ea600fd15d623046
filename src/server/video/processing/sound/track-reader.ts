import { Packet } from 'node-av/lib'
import { damagedVideo } from '../media-errors.ts'
import { isPauseDue, pause } from '../pauses.ts'
import { openSound } from '../source/open-source.ts'
import { openDecoder } from '../source/stream-decoder.ts'
import { countOf, noSamples, readSamples, type Samples } from './sound-joiner.ts'
import { makeSoundTranscoder } from './sound-transcoder.ts'

export type TrackReader = {
  /** Silence after the end. */
  read: (samples: number) => Promise<Samples>
  /** Null until it is known. */
  lengthSamples: () => number | null
  close: () => void
}

/** Reads a file of one sound as 48 kHz stereo. */
export async function openTrackReader(path: string): Promise<TrackReader> {
  const { input, audio } = await openSound(path)
  const decoder = openDecoder(audio)
  if (!decoder) throw damagedVideo()
  const decoded: Samples[] = []
  let [waiting, total] = [0, 0]
  const push = (samples: Samples) => {
    decoded.push(samples)
    waiting += countOf(samples)
    total += countOf(samples)
  }
  const use = {
    meters: [{ push: (frame: Parameters<typeof readSamples>[0]) => push(readSamples(frame)) }],
  }
  const transcoder = makeSoundTranscoder(audio, { decoder, offsetSeconds: 0, use })
  const packet = new Packet()
  packet.alloc()
  let isOver = false
  const readOne = async () => {
    isOver = input.readFrameSync(packet) < 0
    await (isOver ? transcoder.finish() : transcoder.push(packet))
    packet.unref()
    if (isPauseDue()) await pause()
  }
  const take = (samples: Samples) => {
    let at = 0
    while (at < countOf(samples)) {
      const [first] = decoded
      if (!first) return
      const count = Math.min(countOf(first), countOf(samples) - at)
      for (const [channel, values] of samples.entries()) {
        values.set(first[channel]?.subarray(0, count) ?? [], at)
      }
      if (count < countOf(first)) decoded[0] = [first[0].subarray(count), first[1].subarray(count)]
      else decoded.shift()
      at += count
      waiting -= count
    }
  }
  return {
    async read(count) {
      while (waiting < count && !isOver) await readOne()
      const samples = noSamples(count)
      take(samples)
      return samples
    },
    lengthSamples: () => (isOver ? total : null),
    close() {
      packet.free()
      input.closeInputSync()
    },
  }
}
