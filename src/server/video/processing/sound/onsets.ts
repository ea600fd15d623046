import { soundRate } from '../encode/encoder.ts'
import type { SoundMeter } from './sound-transcoder.ts'

/** Values per second. */
export const ONSET_RATE = 100

const samplesPerOnset = soundRate / ONSET_RATE
const onsetsPerHour = 3600 * ONSET_RATE

/** Hz. They divide the sound into three bands, so that a voice hides only some of the shots. */
const edges = [300, 2500]
const bands = edges.length + 1

/** Share of the usual energy of a band below which it counts as silent. */
const silentShare = 0.01

/** Natural logarithms of energy. Louder onsets count as much as this. */
const onsetMax = 3

export type OnsetMeter = SoundMeter & { finish: () => Float32Array }

/** How much louder the sound is in each hundredth of a second than before. Gain changes nothing. */
export function makeOnsetMeter(): OnsetMeter {
  let energies = new Float32Array(onsetsPerHour * bands)
  let samples = 0
  const weights = edges.map((hertz) => 1 - Math.exp((-2 * Math.PI * hertz) / soundRate))
  const lowPassed = edges.map(() => 0)

  const add = (value: number) => {
    const at = Math.floor(samples / samplesPerOnset) * bands
    if (at >= energies.length) {
      const longer = new Float32Array(energies.length * 2)
      longer.set(energies)
      energies = longer
    }
    let below = 0
    for (let band = 0; band < bands; band += 1) {
      let upTo = value
      if (band < edges.length) {
        upTo = (lowPassed[band] ?? 0) + (weights[band] ?? 0) * (value - (lowPassed[band] ?? 0))
        lowPassed[band] = upTo
      }
      energies[at + band] = (energies[at + band] ?? 0) + (upTo - below) ** 2
      below = upTo
    }
    samples += 1
  }
  return {
    push({ data, nbSamples }) {
      const [left, right] = (data ?? []).map(
        (plane) => new Float32Array(plane.buffer, plane.byteOffset, nbSamples),
      )
      if (!left || !right) return
      for (let at = 0; at < nbSamples; at += 1) add(((left[at] ?? 0) + (right[at] ?? 0)) / 2)
    },
    finish: () => toOnsets(energies, Math.floor(samples / samplesPerOnset)),
  }
}

function toOnsets(energies: Float32Array, count: number): Float32Array {
  const onsets = new Float32Array(count)
  for (let band = 0; band < bands; band += 1) {
    let sum = 0
    for (let at = 0; at < count; at += 1) sum += energies[at * bands + band] ?? 0
    const silence = (sum / Math.max(count, 1)) * silentShare + 1e-9
    let before = Math.log((energies[band] ?? 0) + silence)
    for (let at = 1; at < count; at += 1) {
      const now = Math.log((energies[at * bands + band] ?? 0) + silence)
      onsets[at] = (onsets[at] ?? 0) + Math.min(Math.max(0, now - before), onsetMax)
      before = now
    }
  }
  return onsets
}
