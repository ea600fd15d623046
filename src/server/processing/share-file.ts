import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SHARE_FILE_BYTES_MAX, SHARE_FILE_SHORT_SIDE_MAX } from '#shared/limits.ts'
import { openPictureEncoder, openSoundEncoder } from './encoder.ts'
import type { Lane } from './lane.ts'
import type { RenditionResult } from './media-task.ts'
import {
  abandonMp4,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from './mp4-output.ts'
import { closeSource, openSource, readPackets, type Source } from './open-source.ts'
import { inspectPicture, type Picture } from './picture.ts'
import { makePictureLane } from './picture-lane.ts'
import { remux } from './remux.ts'
import { chooseQuality, limitBitRate, makeRung } from './rung.ts'
import { makeSegmentClock } from './segment-clock.ts'
import { limitSoundBitRate } from './sound-bit-rate.ts'
import { makeSoundLane } from './sound-lane.ts'
import { openDecoder } from './stream-decoder.ts'
import { type Survey, surveySource } from './survey.ts'

export const shareFileName = 'share.mp4'

/** Part of the budget that the container and the encoder's overshooting may need. */
const headroom = 0.94

/** Below this nothing can be recognized any more: such long videos (some 45 minutes) are shared as a picture. */
const leastPictureBitRate = 90_000

/** Bits per second that a size needs to look better than the next smaller one. */
const sizes = [
  { bitRate: 1_200_000, shortSide: 720, soundBitRate: 96_000 },
  { bitRate: 600_000, shortSide: 480, soundBitRate: 64_000 },
  { bitRate: 330_000, shortSide: 360, soundBitRate: 64_000 },
  { bitRate: 180_000, shortSide: 240, soundBitRate: 64_000 },
  { bitRate: leastPictureBitRate, shortSide: 240, soundBitRate: 48_000 },
]

export type SharePlan = { shortSide: number; pictureBitRate: number; soundBitRate: number }

/** The best that fits into the budget for so long a video; null when nothing worth watching does. */
export function planShareFile(durationSeconds: number): SharePlan | null {
  const total = (SHARE_FILE_BYTES_MAX * headroom * 8) / durationSeconds
  const size = sizes.find(({ bitRate, soundBitRate }) => total - soundBitRate >= bitRate)
  if (!size) return null
  const { shortSide, soundBitRate } = size
  return { shortSide, soundBitRate, pictureBitRate: Math.floor(total - soundBitRate) }
}

/** @param shortSide of the file's picture, pixels */
export async function isShareable(path: string, shortSide: number): Promise<boolean> {
  if (shortSide > SHARE_FILE_SHORT_SIDE_MAX) return false
  return (await stat(path)).size <= SHARE_FILE_BYTES_MAX
}

/**
 * Makes a progressive MP4 of at most 720p within the budget: of the largest rendition that fits, as it is,
 * or else encoded for the purpose.
 * @param renditions in `folder`, largest first
 * @returns false when the video is too long for it
 */
export async function makeShareFile(
  folder: string,
  input: { renditions: RenditionResult[]; durationSeconds: number },
  onFraction: (fraction: number) => void,
): Promise<boolean> {
  const path = join(folder, shareFileName)
  const small = input.renditions.filter(({ name }) => name <= SHARE_FILE_SHORT_SIDE_MAX)
  for (const { file } of small) {
    const { size } = await stat(join(folder, file))
    if (size > SHARE_FILE_BYTES_MAX * headroom) continue
    await remux(join(folder, file), path, onFraction)
    return true
  }
  const plan = planShareFile(input.durationSeconds)
  if (!plan) return false
  const best = [...input.renditions].reverse().find(({ name }) => name >= plan.shortSide)
  const from = best ?? input.renditions[0]
  if (!from) return false
  await encodeWithin(join(folder, from.file), path, { ...plan, onFraction })
  return (await stat(path)).size <= SHARE_FILE_BYTES_MAX
}

async function encodeWithin(
  from: string,
  path: string,
  options: SharePlan & { onFraction: (fraction: number) => void },
): Promise<void> {
  const looked = await openSource(from)
  const picture = await inspectPicture(looked)
  closeSource(looked)
  const survey = await surveySource(from)
  const source = await openSource(from)
  const output = openMp4(path, { kind: 'rewrite' })
  try {
    const lanes = new Map([
      [source.video.index, pictureLane(output, source, { ...options, picture, survey })],
      ...soundLanes(output, source, { survey, maxBitRate: options.soundBitRate }),
    ])
    beginMp4(output)
    await readPackets(source, (packet) => {
      options.onFraction(Number(packet.pos) / source.sizeBytes)
      lanes.get(packet.streamIndex)?.push(packet)
    })
    for (const lane of lanes.values()) lane.finish()
    await finishMp4(output)
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  closeSource(source)
}

function pictureLane(
  output: Mp4Output,
  source: Source,
  options: SharePlan & { picture: Picture; survey: Survey },
): Lane {
  const { picture, survey } = options
  const size = makeRung(picture, options.shortSide)
  const { avgFrameRate } = source.video
  const frameRate = avgFrameRate.num > 0 ? avgFrameRate.toDouble() : 0
  const byContent = limitBitRate(size, { ...survey, frameRate })
  const encoder = openPictureEncoder({
    size,
    frameRate,
    maxBitRate: Math.min(options.pictureBitRate, byContent),
    quality: chooseQuality(size),
  })
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  const clock = makeSegmentClock(null)
  return makePictureLane(source, {
    picture,
    frameRate,
    endSeconds: survey.pictureEndSeconds,
    targets: [{ size, encoder, deliver }],
    clock,
  })
}

function soundLanes(
  output: Mp4Output,
  source: Source,
  { survey, maxBitRate }: { survey: Survey; maxBitRate: number },
): [number, Lane][] {
  const [stream] = source.audio
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) return []
  const byContent = limitSoundBitRate(stream, survey.sounds[0])
  const encoder = openSoundEncoder(Math.min(maxBitRate, byContent))
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  const { offsetSeconds } = source
  const use = { encode: { encoder, deliver } }
  return [[stream.index, makeSoundLane(stream, { decoder, offsetSeconds, use })]]
}
