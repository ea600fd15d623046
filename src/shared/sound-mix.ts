/** Decibels. */
export const MIX_GAIN_MAX = 12
export const MIX_TRACKS_MAX = 6
/** Hertz. */
export const MIX_RATE = 48_000
/** Samples; 10 ms. All positions are multiples of it, from the start of the video. */
export const MIX_FRAME = 480
/** Frames beside a range on which its result depends: those of ducking and of the limiter. */
export const MIX_FRAMES_BEFORE = 64
export const MIX_FRAMES_AFTER = 40

export type TrackMix = {
  /** From 1, in recording order. */
  number: number
  gainDb: number
  isMuted: boolean
  /** Makes the other tracks quieter where `ducks`. */
  isVoice: boolean
}

export type SoundMix = { tracks: TrackMix[]; ducks: boolean }

/** Left and right. */
export type Stereo = readonly [Float32Array, Float32Array]

/** RMS. */
const VOICE_LEVEL = 10 ** (-45 / 20)
const DUCKED_GAIN = 10 ** (-10 / 20)
/** In frames: the others are quiet from before the voice until after its pauses. */
const DUCK_AHEAD = 15
const DUCK_HOLD = 40
const DUCK_RAMP = 10
/** -1 dBFS, as encoders overshoot. */
const PEAK_LIMIT = 10 ** (-1 / 20)
/** In frames around an edge of a frame. */
const LIMITER_WINDOW = 11

/** Returns the mix of a recording whose owner has not saved one. */
export function plainMix(numbers: readonly number[], voices: ReadonlySet<number>): SoundMix {
  const tracks = numbers.slice(0, MIX_TRACKS_MAX).map((number, index) => ({
    number,
    gainDb: 0,
    isMuted: index > 0,
    isVoice: voices.has(number),
  }))
  return { tracks, ducks: false }
}

export function isSameMix(one: SoundMix, other: SoundMix): boolean {
  const isSameTrack = (a: TrackMix, b: TrackMix | undefined) =>
    a.number === b?.number &&
    a.gainDb === b.gainDb &&
    a.isMuted === b.isMuted &&
    a.isVoice === b.isVoice
  return (
    one.ducks === other.ducks &&
    one.tracks.length === other.tracks.length &&
    one.tracks.every((track, index) => isSameTrack(track, other.tracks[index]))
  )
}

/**
 * Server and browsers mix with this function, so that both sound the same. Pure: a range has the same
 * result wherever playback begins. See docs/decisions/0094-the-mixer.md.
 * @param tracks those of `mix`, with `MIX_FRAMES_BEFORE` and `MIX_FRAMES_AFTER` beside the range
 * @param frames length of the range
 */
export function mixSound(mix: SoundMix, tracks: readonly Stereo[], frames: number): Stereo {
  const first = MIX_FRAMES_BEFORE
  const from = first - LIMITER_WINDOW
  const until = first + frames + LIMITER_WINDOW
  const ducking = findDucking(mix, tracks, { from, until })
  const sum = [
    new Float32Array((until - from) * MIX_FRAME),
    new Float32Array((until - from) * MIX_FRAME),
  ] as const
  for (const [index, track] of mix.tracks.entries()) {
    const sound = tracks[index]
    if (!sound || track.isMuted) continue
    const gain = 10 ** (track.gainDb / 20)
    addTrack(sum, sound, { from, gain, points: track.isVoice ? null : ducking })
  }
  return limitPeaks(sum, frames)
}

/** Gains at the starts of the frames, and at the end of the last; null where nothing is ducked. */
function findDucking(
  { tracks: settings, ducks }: SoundMix,
  tracks: readonly Stereo[],
  { from, until }: { from: number; until: number },
): Float32Array | null {
  const voices = tracks.filter((_, index) => settings[index]?.isVoice && !settings[index].isMuted)
  if (!ducks || voices.length === 0) return null
  const isVoice = Array.from({ length: until + DUCK_RAMP + DUCK_AHEAD }, (_, frame) =>
    voices.some((voice) => levelOf(voice, frame) >= VOICE_LEVEL),
  )
  const isDucked = (frame: number) =>
    isVoice.slice(Math.max(0, frame - DUCK_HOLD), frame + DUCK_AHEAD + 1).includes(true)
  const first = from - DUCK_RAMP
  const targets = Array.from({ length: until - from + 2 * DUCK_RAMP }, (_, index) =>
    isDucked(first + index) ? DUCKED_GAIN : 1,
  )
  return Float32Array.from({ length: until - from + 1 }, (_, index) =>
    mean(targets.slice(index, index + 2 * DUCK_RAMP)),
  )
}

function levelOf([left, right]: Stereo, frame: number): number {
  let squares = 0
  for (let at = frame * MIX_FRAME; at < (frame + 1) * MIX_FRAME; at += 1) {
    const [a, b] = [left[at] ?? 0, right[at] ?? 0]
    squares += a * a + b * b
  }
  return Math.sqrt(squares / (2 * MIX_FRAME))
}

function addTrack(
  sum: Stereo,
  sound: Stereo,
  { from, gain, points }: { from: number; gain: number; points: Float32Array | null },
): void {
  for (const [channel, values] of sum.entries()) {
    const samples = sound[channel]?.subarray(from * MIX_FRAME) ?? values
    for (let at = 0; at < values.length; at += 1) {
      const factor = points ? gain * gainAt(points, at) : gain
      values[at] = (values[at] ?? 0) + (samples[at] ?? 0) * factor
    }
  }
}

/** Within a frame, gains change evenly from its start to its end. */
function gainAt(points: Float32Array, sample: number): number {
  const frame = Math.floor(sample / MIX_FRAME)
  const start = points[frame] ?? 1
  return start + (((points[frame + 1] ?? 1) - start) * (sample % MIX_FRAME)) / MIX_FRAME
}

/** The mean of minima around a frame's edge is never above what the frame needs. */
function limitPeaks(sum: Stereo, frames: number): Stereo {
  const needed = Array.from({ length: frames + 2 * LIMITER_WINDOW }, (_, frame) =>
    Math.min(1, PEAK_LIMIT / Math.max(peakOf(sum, frame), PEAK_LIMIT)),
  )
  const minima = Array.from({ length: frames + LIMITER_WINDOW }, (_, index) =>
    Math.min(...needed.slice(index, index + LIMITER_WINDOW + 1)),
  )
  const points = Float32Array.from({ length: frames + 1 }, (_, index) =>
    mean(minima.slice(index, index + LIMITER_WINDOW)),
  )
  const start = LIMITER_WINDOW * MIX_FRAME
  const limit = (channel: Float32Array) =>
    Float32Array.from(
      { length: frames * MIX_FRAME },
      (_, at) => (channel[start + at] ?? 0) * gainAt(points, at),
    )
  return [limit(sum[0]), limit(sum[1])]
}

function peakOf(sum: Stereo, frame: number): number {
  let peak = 0
  for (const channel of sum) {
    for (let at = frame * MIX_FRAME; at < (frame + 1) * MIX_FRAME; at += 1) {
      const level = Math.abs(channel[at] ?? 0)
      if (level > peak) peak = level
    }
  }
  return peak
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
