import { WAVEFORM_RATE } from '#shared/waveform.ts'
import { soundRate } from '../encode/encoder.ts'
import type { SoundMeter } from './sound-transcoder.ts'

export type WaveformMeter = SoundMeter & {
  /** Content of `waveform.bin`; empty without sound. */
  finish: () => Uint8Array
}

const samplesPerPeak = soundRate / WAVEFORM_RATE
const peaksPerHour = 3600 * WAVEFORM_RATE

/** 20 peaks per second, channels mixed. */
export function makeWaveformMeter(): WaveformMeter {
  let peaks = new Uint8Array(peaksPerHour)
  let samples = 0

  const note = (at: number, level: number) => {
    if (at >= peaks.length) {
      const longer = new Uint8Array(peaks.length * 2)
      longer.set(peaks)
      peaks = longer
    }
    peaks[at] = Math.max(peaks[at] ?? 0, Math.min(Math.round(level * 255), 255))
  }
  return {
    push(frame) {
      const count = frame.nbSamples
      const [left, right] = (frame.data ?? []).map((plane) => readSamples(plane, count))
      if (!left || !right) return
      for (let from = 0; from < count; ) {
        const at = Math.floor((samples + from) / samplesPerPeak)
        const until = Math.min(count, (at + 1) * samplesPerPeak - samples)
        let level = 0
        for (let index = from; index < until; index += 1) {
          const mixed = Math.abs((left[index] ?? 0) + (right[index] ?? 0)) / 2
          if (mixed > level) level = mixed
        }
        note(at, level)
        from = until
      }
      samples += count
    },
    finish: () => peaks.subarray(0, Math.ceil(samples / samplesPerPeak)),
  }
}

function readSamples(plane: Buffer, count: number): Float32Array {
  return new Float32Array(plane.buffer, plane.byteOffset, count)
}
