import { describe, expect, test } from 'vitest'
import {
  MIX_FRAME,
  MIX_FRAMES_AFTER,
  MIX_FRAMES_BEFORE,
  MIX_RATE,
  mixSound,
  type SoundMix,
  type Stereo,
} from '#shared/sound-mix.ts'
import { createResampler } from '#shared/sound-resample.ts'

const FRAMES = 200
const LENGTH = (MIX_FRAMES_BEFORE + FRAMES + MIX_FRAMES_AFTER) * MIX_FRAME

/** @param loud part of the range, in frames; all of it by default */
function tone(hertz: number, level: number, loud?: [from: number, until: number]): Stereo {
  const samples = Float32Array.from({ length: LENGTH }, (_, at) => {
    const frame = at / MIX_FRAME - MIX_FRAMES_BEFORE
    const isLoud = !loud || (frame >= loud[0] && frame < loud[1])
    return isLoud ? level * Math.sin((2 * Math.PI * hertz * at) / MIX_RATE) : 0
  })
  return [samples, samples]
}

const mixOf = (gains: (number | null)[], { voice = 0, ducks = false } = {}): SoundMix => ({
  tracks: gains.map((gainDb, index) => ({
    number: index + 1,
    gainDb: gainDb ?? 0,
    isMuted: gainDb === null,
    isVoice: index + 1 === voice,
  })),
  ducks,
})

/** The peak of some frames. */
const peak = ([left]: Stereo, from = 0, until = FRAMES) =>
  Math.max(...left.subarray(from * MIX_FRAME, until * MIX_FRAME).map(Math.abs))

test('each track is as loud as its gain says, and a muted one is silent', () => {
  const tracks = [tone(440, 0.2), tone(1000, 0.3)]
  expect(peak(mixSound(mixOf([6, null]), tracks, FRAMES))).toBeCloseTo(0.2 * 10 ** (6 / 20), 3)
  expect(peak(mixSound(mixOf([null, -6]), tracks, FRAMES))).toBeCloseTo(0.3 * 10 ** (-6 / 20), 3)
  expect(peak(mixSound(mixOf([null, null]), tracks, FRAMES))).toBe(0)
})

test('the sum never exceeds -1 dBFS, and what is below is unchanged', () => {
  const loud = [tone(440, 0.9), tone(700, 0.9, [80, 90])]
  const mixed = mixSound(mixOf([12, 12]), loud, FRAMES)
  expect(peak(mixed)).toBeLessThanOrEqual(10 ** (-1 / 20) + 1e-6)
  const quiet = tone(440, 0.5)
  const [left] = mixSound(mixOf([0, null]), [quiet, quiet], FRAMES)
  const start = MIX_FRAMES_BEFORE * MIX_FRAME
  expect(left).toEqual(quiet[0].slice(start, start + FRAMES * MIX_FRAME))
})

describe('voice over game', () => {
  const tracks = [tone(440, 0.2), tone(1000, 0.1, [100, 120])]
  const duckedAt = (mix: SoundMix, from: number, until: number) => {
    const silent = tracks.map((track, index) => (index === 0 ? track : tone(1000, 0)))
    const [game] = mixSound(mix, tracks, FRAMES)
    const [voice] = mixSound(mixOf([null, 0]), tracks, FRAMES)
    const [alone] = mixSound(mixOf([0, null]), silent, FRAMES)
    const level = (samples: Float32Array) =>
      Math.hypot(...samples.subarray(from * MIX_FRAME, until * MIX_FRAME))
    const rest = game.map((value, at) => value - (voice[at] ?? 0))
    return 20 * Math.log10(level(rest) / level(alone))
  }

  test('makes the game quieter from before the voice until after it', () => {
    const mix = mixOf([0, 0], { voice: 2, ducks: true })
    expect(duckedAt(mix, 0, 70)).toBeCloseTo(0, 1)
    expect(duckedAt(mix, 98, 140)).toBeCloseTo(-10, 1)
    expect(duckedAt(mix, 175, 200)).toBeCloseTo(0, 1)
  })

  test('does nothing without a voice, and for a muted one', () => {
    expect(duckedAt(mixOf([0, 0], { ducks: true }), 98, 140)).toBeCloseTo(0, 1)
    const [muted] = mixSound(mixOf([0, null], { voice: 2, ducks: true }), tracks, FRAMES)
    const [alone] = mixSound(mixOf([0, null]), tracks, FRAMES)
    expect(muted).toEqual(alone)
  })
})

test('a part has the same result alone as within the whole', () => {
  const tracks = [tone(440, 0.9), tone(1000, 0.4, [30, 60])]
  const mix = mixOf([9, 6], { voice: 2, ducks: true })
  const [whole] = mixSound(mix, tracks, FRAMES)
  const [from, frames] = [70, 20]
  const cut = (samples: Float32Array) =>
    samples.subarray(
      from * MIX_FRAME,
      (from + frames + MIX_FRAMES_BEFORE + MIX_FRAMES_AFTER) * MIX_FRAME,
    )
  const parts = tracks.map(([left, right]): Stereo => [cut(left), cut(right)])
  const [part] = mixSound(mix, parts, frames)
  expect(part).toEqual(whole.slice(from * MIX_FRAME, (from + frames) * MIX_FRAME))
})

test('a tone of 44.1 kHz is the same at 48 kHz, in runs of any length', () => {
  const resample = createResampler(44_100)
  const at = (index: number, rate: number) => Math.sin((2 * Math.PI * 1000 * index) / rate)
  const made = new Map<number, number>()
  for (let start = 0; start < 44_100; start += 1024) {
    const run = Float32Array.from({ length: 1024 }, (_, index) => at(start + index, 44_100))
    const placed = resample({ start, sound: [run, run] })
    for (const [index, value] of placed.sound[0].entries()) made.set(placed.start + index, value)
  }
  expect(made.size).toBeGreaterThan(47_900)
  for (let index = 100; index < 47_900; index += 1) {
    expect(Math.abs((made.get(index) ?? 9) - at(index, MIX_RATE))).toBeLessThan(1e-3)
  }
})
