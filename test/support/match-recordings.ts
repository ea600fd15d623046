import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClipOptions, makeClip } from './clips.ts'

const RATE = 48_000

/** Numbers from 0 to 1, the same each time. */
function makeRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Shots, bursts, steps and a wind, as a match sounds. */
export function makeScene(seed: number, seconds: number): Float32Array {
  const random = makeRandom(seed)
  const sound = new Float32Array(Math.round(seconds * RATE))
  for (let at = 0; at < seconds; at += 0.15 - Math.log(1 - random()) * 0.6) {
    const kind = random()
    const loud = 0.1 + random() * 0.5
    if (kind < 0.4) addBurst(sound, { at, loud, random, decay: 0.05 + random() * 0.2 })
    else if (kind < 0.6) {
      const gap = 0.08 + random() * 0.04
      const shots = 4 + Math.floor(random() * 8)
      for (let shot = 0; shot < shots; shot += 1) {
        addBurst(sound, { at: at + shot * gap, loud, random, decay: 0.03 })
      }
    } else addStep(sound, { at, loud: loud * 0.6 })
  }
  let wind = 0
  for (let at = 0; at < sound.length; at += 1) {
    wind += ((random() - 0.5) * 0.3 - wind) * 0.02
    sound[at] = (sound[at] ?? 0) + wind
  }
  return sound
}

type Burst = { at: number; loud: number; random: () => number; decay: number }

function addBurst(sound: Float32Array, { at, loud, random, decay }: Burst): void {
  const from = Math.round(at * RATE)
  for (let index = 0; index < decay * 5 * RATE; index += 1) {
    const value = (random() * 2 - 1) * loud * Math.exp(-index / RATE / decay)
    if (from + index < sound.length) sound[from + index] = (sound[from + index] ?? 0) + value
  }
}

function addStep(sound: Float32Array, { at, loud }: { at: number; loud: number }): void {
  const from = Math.round(at * RATE)
  for (let index = 0; index < 0.08 * RATE; index += 1) {
    const seconds = index / RATE
    const value = Math.sin(2 * Math.PI * 90 * seconds) * loud * Math.exp(-seconds / 0.02)
    if (from + index < sound.length) sound[from + index] = (sound[from + index] ?? 0) + value
  }
}

export type MatchRecording = Pick<ClipOptions, 'container' | 'audioCodec' | 'sampleRate'> &
  Pick<ClipOptions, 'width' | 'height' | 'frameRate'> & {
    scene: Float32Array
    /** When it begins and ends in the scene. */
    fromSeconds: number
    toSeconds: number
    gainDecibels: number
    /** How much softer the noise is than the scene at its loudest, in decibels. */
    noiseDecibels: number
    /** The member speaks over the game, in decibels; left out means nobody speaks. */
    voiceDecibels?: number
    seed: number
  }

/** One member's recording of a scene, as a real file. Answers its path. */
export async function makeMatchRecording(
  folder: string,
  { scene, fromSeconds, toSeconds, ...recording }: MatchRecording,
): Promise<string> {
  const random = makeRandom(recording.seed * 7919 + 1)
  const heard = scene.slice(Math.round(fromSeconds * RATE), Math.round(toSeconds * RATE))
  const gain = 10 ** (recording.gainDecibels / 20)
  const noise = 10 ** (recording.noiseDecibels / 20)
  const voice = recording.voiceDecibels === undefined ? 0 : 10 ** (recording.voiceDecibels / 20)
  const speaks = makeVoice(random, heard.length)
  for (let at = 0; at < heard.length; at += 1) {
    const own = (random() * 2 - 1) * noise + (speaks[at] ?? 0) * voice
    heard[at] = ((heard[at] ?? 0) + own) * gain
  }
  const name = `recording-${recording.seed}`
  const soundPath = join(folder, `${name}.wav`)
  await writeFile(soundPath, toWav(heard))
  const { container = 'mp4', audioCodec = 'aac', sampleRate = RATE } = recording
  const { width = 64, height = 36, frameRate = 10 } = recording
  return makeClip({
    path: join(folder, name),
    ...{ container, audioCodec, sampleRate, soundPath, width, height },
    seconds: toSeconds - fromSeconds,
    frameRate,
  })
}

/** Syllables of a hummed pitch, in sentences with pauses. */
function makeVoice(random: () => number, length: number): Float32Array {
  const voice = new Float32Array(length)
  for (let at = 0; at < length; ) {
    const pitch = 110 + random() * 120
    const syllable = Math.round((0.12 + random() * 0.15) * RATE)
    for (let index = 0; index < syllable && at + index < length; index += 1) {
      const seconds = index / RATE
      const shape = Math.sin((Math.PI * index) / syllable)
      let value = 0
      for (const overtone of [1, 2, 3, 5, 8]) {
        value += Math.sin(2 * Math.PI * pitch * overtone * seconds) / overtone
      }
      voice[at + index] = value * shape * 0.4
    }
    at += syllable + Math.round((random() < 0.15 ? 1 + random() * 3 : 0.02) * RATE)
  }
  return voice
}

function toWav(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(44 + samples.length * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples.length * 2, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples.length * 2, 40)
  for (const [at, value] of samples.entries()) {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), 44 + at * 2)
  }
  return bytes
}
