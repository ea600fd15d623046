import type { Frame } from 'node-av/lib'
import { soundRate } from '../encode/encoder.ts'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from '../filter-chain.ts'
import type { SoundMeter } from './sound-transcoder.ts'

export type LoudnessMeter = SoundMeter & { finish: () => Loudness }

/** LUFS (EBU R 128). */
export type Loudness = {
  /** Null for silence. */
  integrated: number | null
  /** Loudest 400 ms of each second. */
  momentary: number[]
}

/** LUFS; the gate's result for silence. */
const silence = -69

/** LUFS before any measurement. */
const unmeasured = -120

const measuresPerSecond = 10

export function makeLoudnessMeter(): LoudnessMeter {
  let chain: FilterChain | null = null
  let integrated: number | null = null
  let samples = 0n
  let measures = 0
  const momentary: number[] = []
  const read = (frame: Frame) => {
    const values = frame.getMetadata()
    const value = values?.get('lavfi.r128.I')
    if (value) integrated = Number(value)
    const second = Math.floor(measures / measuresPerSecond)
    const stated = Number(values?.get('lavfi.r128.M') ?? unmeasured)
    // FFmpeg says `nan` or `-inf` of digital silence.
    const loudness = Number.isFinite(stated) ? stated : unmeasured
    momentary[second] = Math.max(momentary[second] ?? unmeasured, loudness)
    measures += 1
  }
  return {
    push(frame) {
      const copy = frame.clone()
      if (!copy) return
      const base = { num: 1, den: soundRate }
      chain ??= openSoundChain(copy, base, ['ebur128=metadata=1', 'aformat=sample_fmts=fltp'])
      copy.pts = samples
      samples += BigInt(copy.nbSamples)
      filterFrame(chain, copy, read)
      copy.free()
    },
    finish() {
      if (!chain) return { integrated: null, momentary }
      filterFrame(chain, null, read)
      closeChain(chain)
      const isSilent = integrated === null || integrated <= silence
      return {
        integrated: isSilent ? null : Math.round(Number(integrated) * 10) / 10,
        momentary,
      }
    },
  }
}
