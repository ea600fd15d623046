import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SHARE_FILE_SHORT_SIDE_MAX } from '#shared/limits.ts'
import { limitBitRate, limitSoundBitRate } from '../encode/bit-rates.ts'
import { openPictureEncoder, openSoundEncoder } from '../encode/encoder.ts'
import { chooseQuality, fitShortSide } from '../encode/rendition-size.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import { addEncodedTrack, deliverTo, type Mp4Output } from '../package/mp4-output.ts'
import { makePictureTranscoder } from '../picture/picture-transcoder.ts'
import { makeSoundTranscoder } from '../sound/sound-transcoder.ts'
import type { PacketSink } from '../source/open-source.ts'
import { closeSource, openSource, type Source } from '../source/open-source.ts'
import { claimedFrameRate } from '../source/packet-tally.ts'
import { inspectPicture, type Picture } from '../source/picture.ts'
import { analyzeSource, type SourceAnalysis } from '../source/source-analysis.ts'
import { openDecoder } from '../source/stream-decoder.ts'
import { copyPictureTrack, copySoundTrack, type Joined, joinSound } from './join-sound.ts'
import type { RenditionResult } from './media-task.ts'
import { remux } from './remux.ts'

export const shareFileName = 'share.mp4'

/** For container and encoder overshoot. */
const headroom = 0.94

/** Below this rate the picture is unrecognizable. Longer videos (9 minutes at 10 MB) share a still instead. */
const leastPictureBitRate = 90_000

const leastSoundBitRate = 48_000

/** Bit rate from which a size looks better than a smaller one. */
const sizes = [
  { bitRate: 1_200_000, shortSide: 720, soundBitRate: 96_000 },
  { bitRate: 600_000, shortSide: 480, soundBitRate: 64_000 },
  { bitRate: 330_000, shortSide: 360, soundBitRate: 64_000 },
  { bitRate: 180_000, shortSide: 240, soundBitRate: 64_000 },
  { bitRate: leastPictureBitRate, shortSide: 240, soundBitRate: leastSoundBitRate },
]

type SharePlan = { shortSide: number; pictureBitRate: number; soundBitRate: number }

/** Null if nothing watchable fits. See docs/decisions/0009-two-decodes-and-a-ladder.md. */
export function planShareFile(durationSeconds: number, maxBytes: number): SharePlan | null {
  const total = (maxBytes * headroom * 8) / durationSeconds
  const size = sizes.find(({ bitRate, soundBitRate }) => total - soundBitRate >= bitRate)
  if (!size) return null
  const { shortSide, soundBitRate } = size
  return { shortSide, soundBitRate, pictureBitRate: Math.floor(total - soundBitRate) }
}

const copies: Pick<Joined, 'picture' | 'sounds'> = {
  picture: copyPictureTrack,
  sounds: (output, source) =>
    source.audio.slice(0, 1).map((stream) => copySoundTrack(output, source, stream)),
}

export async function isShareable(
  path: string,
  { shortSide, maxBytes }: { shortSide: number; maxBytes: number },
): Promise<boolean> {
  return shortSide <= SHARE_FILE_SHORT_SIDE_MAX && (await stat(path)).size <= maxBytes
}

/**
 * Copies the largest rendition within the budget, or encodes one.
 * @param input.renditions largest first
 * @param input.soundPath null where they contain it
 * @returns false when the video is too long
 */
export async function makeShareFile(
  folder: string,
  input: {
    renditions: RenditionResult[]
    durationSeconds: number
    soundPath: string | null
    maxBytes: number
  },
  onFraction: (fraction: number) => void,
): Promise<boolean> {
  const path = join(folder, shareFileName)
  const { maxBytes } = input
  const small = input.renditions.filter(({ name }) => name <= SHARE_FILE_SHORT_SIDE_MAX)
  for (const { file } of small) {
    const { size } = await stat(join(folder, file))
    if (size > maxBytes * headroom) continue
    const from = join(folder, file)
    if (input.soundPath === null) await remux({ path: from }, path, onFraction)
    else {
      const { soundPath, durationSeconds: seconds } = input
      await joinSound(from, path, { ...copies, soundPath, seconds, onFraction })
    }
    if ((await stat(path)).size <= maxBytes) return true
  }
  const plan = planShareFile(input.durationSeconds, maxBytes)
  if (!plan) return false
  const best = [...input.renditions].reverse().find(({ name }) => name >= plan.shortSide)
  const from = best ?? input.renditions[0]
  if (!from) return false
  const encoded = join(folder, from.file)
  const soundPath = input.soundPath ?? encoded
  const seconds = input.durationSeconds
  await encodeWithin(encoded, path, { ...plan, soundPath, seconds, onFraction })
  return (await stat(path)).size <= maxBytes
}

/** @returns false when it does not fit */
export async function renewShareSound(
  folder: string,
  input: { sharePath: string; soundPath: string; seconds: number; maxBytes: number },
): Promise<boolean> {
  const { sharePath, soundPath, seconds, maxBytes } = input
  const path = join(folder, shareFileName)
  const old = await openSource(sharePath)
  const bitRate = Number(old.audio[0]?.codecpar.bitRate ?? 0n)
  closeSource(old)
  const largest = sizes[0]?.soundBitRate ?? leastSoundBitRate
  const maxBitRate = Math.min(Math.max(bitRate, leastSoundBitRate), largest)
  await joinSound(sharePath, path, {
    ...{ soundPath, seconds, onFraction: () => {} },
    picture: copyPictureTrack,
    sounds: (output, source) => soundSinks(output, source, { analysis: null, maxBitRate }),
  })
  return (await stat(path)).size <= maxBytes
}

async function encodeWithin(
  from: string,
  path: string,
  options: SharePlan & Pick<Joined, 'soundPath' | 'seconds' | 'onFraction'>,
): Promise<void> {
  const { soundPath, seconds, onFraction, soundBitRate } = options
  const opened = await openSource(from)
  const picture = await inspectPicture(opened)
  closeSource(opened)
  const analysis = await analyzeSource(from)
  const soundAnalysis = soundPath === from ? analysis : await analyzeSource(soundPath)
  await joinSound(from, path, {
    ...{ soundPath, seconds, onFraction },
    picture: (output, source) => pictureSink(output, source, { ...options, picture, analysis }),
    sounds: (output, source) =>
      soundSinks(output, source, { analysis: soundAnalysis, maxBitRate: soundBitRate }),
  })
}

function pictureSink(
  output: Mp4Output,
  source: Source,
  options: SharePlan & { picture: Picture; analysis: SourceAnalysis },
): PacketSink {
  const { picture, analysis } = options
  const size = fitShortSide(picture, options.shortSide)
  const frameRate = claimedFrameRate(source.video)
  const byContent = limitBitRate(size, { ...analysis, frameRate })
  const encoder = openPictureEncoder({
    size,
    frameRate,
    maxBitRate: Math.min(options.pictureBitRate, byContent),
    quality: chooseQuality(size),
  })
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  const clock = makeSegmentClock(null)
  return makePictureTranscoder(source, {
    picture,
    frameRate,
    endSeconds: analysis.pictureEndSeconds,
    targets: [{ size, encoder, deliver }],
    clock,
  })
}

function soundSinks(
  output: Mp4Output,
  source: Source,
  { analysis, maxBitRate }: { analysis: SourceAnalysis | null; maxBitRate: number },
): [number, PacketSink][] {
  const [stream] = source.audio
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) return []
  const byContent = limitSoundBitRate(stream, analysis?.sounds[0])
  const encoder = openSoundEncoder(Math.min(maxBitRate, byContent))
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  const { offsetSeconds } = source
  const use = { encode: { encoder, deliver } }
  return [[stream.index, makeSoundTranscoder(stream, { decoder, offsetSeconds, use })]]
}
