import { deviceStorage, parseObject } from '#client/platform/browser-storage.ts'
import { MIX_GAIN_MAX, type SoundMix, type TrackMix } from '#shared/sound-mix.ts'

const KEY = 'clutch-mixes'
const KEPT = 100

/** By the number of the video, the newest last. */
type Mixes = [videoId: number, mix: SoundMix][]

/** Returns undefined unless it is a mix of these tracks. */
export function rememberedMix(videoId: number, numbers: readonly number[]): SoundMix | undefined {
  const found = readMixes().find(([id]) => id === videoId)?.[1]
  const isSame = found?.tracks.every(({ number }, index) => number === numbers[index])
  return isSame && found?.tracks.length === numbers.length ? found : undefined
}

/** Null deletes the remembered mix. */
export function rememberMix(videoId: number, mix: SoundMix | null): void {
  const others = readMixes().filter(([id]) => id !== videoId)
  const mixes: Mixes = mix ? [...others, [videoId, mix]] : others
  deviceStorage.write(KEY, JSON.stringify({ mixes: mixes.slice(-KEPT) }))
}

/** Ignores invalid values. */
function readMixes(): Mixes {
  const { mixes } = parseObject(deviceStorage.read(KEY))
  if (!Array.isArray(mixes)) return []
  return mixes.filter(
    (entry): entry is Mixes[number] =>
      Array.isArray(entry) && Number.isInteger(entry[0]) && isMix(entry[1]),
  )
}

function isMix(value: unknown): value is SoundMix {
  const { tracks, ducks } = (value ?? {}) as Partial<SoundMix>
  return typeof ducks === 'boolean' && Array.isArray(tracks) && tracks.every(isTrackMix)
}

function isTrackMix(value: unknown): value is TrackMix {
  const { number, gainDb, isMuted, isVoice } = (value ?? {}) as Partial<TrackMix>
  return (
    Number.isInteger(number) &&
    Math.abs(gainDb ?? Number.NaN) <= MIX_GAIN_MAX &&
    typeof isMuted === 'boolean' &&
    typeof isVoice === 'boolean'
  )
}
