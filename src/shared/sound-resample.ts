import { MIX_RATE, type Stereo } from './sound-mix.ts'

/** Samples to each side. */
const REACH = 32
/** Share of the band that passes unchanged. */
const BAND = 0.96

/** Positions are in samples from the start of the video. */
export type Placed = { start: number; sound: Stereo }

/** Moves runs of samples, one after the other, from their own rate to `MIX_RATE`, in browsers and on the server alike. */
export function createResampler(rate: number): (run: Placed) => Placed {
  if (rate === MIX_RATE) return (run) => run
  const phases = MIX_RATE / greatestDivisor(rate, MIX_RATE)
  const kernels = Array.from({ length: phases }, (_, phase) => makeKernel(phase / phases))
  let held: Stereo = [new Float32Array(0), new Float32Array(0)]
  let heldStart = 0
  let next = 0

  return ({ start, sound }) => {
    if (start !== heldStart + held[0].length) {
      held = [new Float32Array(REACH), new Float32Array(REACH)]
      heldStart = start - REACH
      next = Math.ceil((start * MIX_RATE) / rate)
    }
    held = [join(held[0], sound[0]), join(held[1], sound[1])]
    const end = heldStart + held[0].length
    const first = next
    while (Math.floor((next * rate) / MIX_RATE) + REACH < end) next += 1
    const at = (output: number) => {
      const position = (output * rate) / MIX_RATE
      const whole = Math.floor(position)
      const phase = Math.round((position - whole) * phases) % phases
      return { from: whole - REACH + 1 - heldStart, kernel: kernels[phase] }
    }
    const resample = (channel: Float32Array) =>
      Float32Array.from({ length: next - first }, (_, index) => {
        const { from, kernel } = at(first + index)
        let sum = 0
        for (let tap = 0; tap < 2 * REACH; tap += 1) {
          sum += (channel[from + tap] ?? 0) * (kernel?.[tap] ?? 0)
        }
        return sum
      })
    const result = { start: first, sound: [resample(held[0]), resample(held[1])] as const }
    const used = Math.max(0, Math.floor((next * rate) / MIX_RATE) - REACH - heldStart)
    held = [held[0].slice(used), held[1].slice(used)]
    heldStart += used
    return result
  }
}

function makeKernel(fraction: number): Float32Array {
  const kernel = Float32Array.from({ length: 2 * REACH }, (_, tap) => {
    const distance = tap - REACH + 1 - fraction
    const angle = Math.PI * distance * BAND
    const wave = angle === 0 ? 1 : Math.sin(angle) / angle
    const place = (distance / REACH + 1) / 2
    const window = 0.42 - 0.5 * Math.cos(2 * Math.PI * place) + 0.08 * Math.cos(4 * Math.PI * place)
    return wave * Math.max(0, window)
  })
  const sum = kernel.reduce((total, value) => total + value, 0)
  return kernel.map((value) => value / sum)
}

function join(one: Float32Array, other: Float32Array): Float32Array {
  const joined = new Float32Array(one.length + other.length)
  joined.set(one)
  joined.set(other, one.length)
  return joined
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}
