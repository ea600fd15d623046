import type { Frame } from 'node-av/lib'
import { soundRate } from '../encode/encoder.ts'
import { closeChain, type FilterChain, filterFrame, openSoundChain } from '../filter-chain.ts'

export type LoudnessMeter = {
  /** Takes a frame of 48 kHz stereo sound; it is left as it is. */
  push: (frame: Frame) => void
  /** Integrated loudness in LUFS (EBU R 128), null for silence and for too little sound to measure. */
  finish: () => number | null
}

/** What the measuring gate leaves of silence. */
const silence = -69

/** Measures how loud a whole recording is to the ear. */
export function makeLoudnessMeter(): LoudnessMeter {
  let chain: FilterChain | null = null
  let integrated: number | null = null
  let samples = 0n
  const read = (frame: Frame) => {
    const value = frame.getMetadata()?.get('lavfi.r128.I')
    if (value) integrated = Number(value)
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
      if (!chain) return null
      filterFrame(chain, null, read)
      closeChain(chain)
      if (integrated === null || integrated <= silence) return null
      return Math.round(integrated * 10) / 10
    },
  }
}
