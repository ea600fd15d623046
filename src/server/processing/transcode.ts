import type { Packet, Stream } from 'node-av/lib'
import { isBrowserPicture, isPlainStereo } from './browser-codecs.ts'
import { makeCopyLane } from './copy-lane.ts'
import { openPictureEncoder, openSoundEncoder } from './encoder.ts'
import type { EncoderName } from './encoder-name.ts'
import type { Lane } from './lane.ts'
import { damagedVideo, stillPicture } from './media-errors.ts'
import type { TranscodeResult, TranscodeTask } from './media-task.ts'
import {
  abandonMp4,
  addCopiedTrack,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from './mp4-output.ts'
import { closeSource, openSource, readPackets, type Source } from './open-source.ts'
import { roundToMs, tallyEnd } from './packet-tally.ts'
import { fitInside, inspectPicture, type Picture, type Size } from './picture.ts'
import { doublesFrameRate } from './picture-filters.ts'
import { makePictureLane } from './picture-lane.ts'
import type { Report } from './report.ts'
import { chooseQuality, isSameSize, limitBitRate, makeRung } from './rung.ts'
import { makeSegmentClock } from './segment-clock.ts'
import { limitSoundBitRate } from './sound-bit-rate.ts'
import { makeSoundLane } from './sound-lane.ts'
import { openDecoder } from './stream-decoder.ts'
import { type Survey, surveySource } from './survey.ts'
import { isTimestamp, toSeconds } from './timestamps.ts'

const longSide = 1920
const shortSide = 1080

/** Recorders' 60 frames a second are rarely exact. */
export const maxCopiedFrameRate = 61

const interleaved = { interleaved: true }

/** How one source becomes one file. */
type Plan = {
  picture: Picture
  size: Size
  copiesPicture: boolean
  /** Of the source that is to be encoded; null where all of it is copied. */
  survey: Survey | null
  /** All sound tracks come along, not just the first that can be read. */
  keepsAllSound: boolean
  frameRate: number
  encoder: EncoderName
}

/**
 * Makes an MP4 that plays everywhere. What fits already is copied: encoding again costs quality and
 * time. Only the first sound track that can be read is kept, unless the task asks for the quickest way.
 */
export async function transcode(task: TranscodeTask, report: Report): Promise<TranscodeResult> {
  const looked = await openSource(task.sourcePath)
  const picture = await inspectPicture(looked)
  closeSource(looked)

  const source = await openSource(task.sourcePath)
  const plan = await makePlan(source, picture, task)
  const output = openMp4(task.outputPath, { kind: 'rewrite' })
  try {
    const lanes = new Map<number, Lane>([
      [source.video.index, pictureLane(output, source, plan)],
      ...soundLanes(output, source, plan),
    ])
    beginMp4(output)
    await readPackets(source, (packet) => {
      report((Number(packet.pos) / source.sizeBytes) * 99, {
        stage: 'encoding',
        doneSeconds: packetSeconds(source, packet),
      })
      lanes.get(packet.streamIndex)?.push(packet)
    })
    for (const lane of lanes.values()) lane.finish()
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  closeSource(source)
  const { size, copiesPicture } = plan
  return { durationSeconds: await finish(output), ...size, copied: copiesPicture }
}

/** When a packet is played; 0 when it does not say. */
function packetSeconds({ input, offsetSeconds }: Source, packet: Packet): number {
  const base = input.streams[packet.streamIndex]?.timeBase
  const time = isTimestamp(packet.dts) ? packet.dts : packet.pts
  return base && isTimestamp(time) ? toSeconds(time, base) - offsetSeconds : 0
}

async function makePlan(source: Source, picture: Picture, task: TranscodeTask): Promise<Plan> {
  const { avgFrameRate } = source.video
  const frameRate = avgFrameRate.num > 0 ? avgFrameRate.toDouble() : 0
  const isQuick = task.quickShortSide !== undefined
  const size = outputSize(picture, task.quickShortSide)
  const copiesPicture = canCopyPicture(source, picture, {
    size: isQuick ? makeRung(picture, Math.min(picture.width, picture.height)) : size,
    frameRate,
  })
  const copiesAll = copiesPicture && source.audio.every((stream) => canCopySound(source, stream))
  return {
    picture,
    size: copiesPicture ? { width: picture.width, height: picture.height } : size,
    copiesPicture,
    survey: copiesAll ? null : await surveySource(task.sourcePath),
    keepsAllSound: isQuick,
    frameRate,
    encoder: task.encoder ?? 'libx264',
  }
}

function pictureLane(output: Mp4Output, source: Source, plan: Plan): Lane {
  const { offsetSeconds, video } = source
  const { picture, size, frameRate, survey } = plan
  if (plan.copiesPicture || !survey) {
    const deliver = deliverTo(output, addCopiedTrack(output, video), interleaved)
    return makeCopyLane(video, { offsetSeconds, deliver })
  }
  const outputRate = Math.min(60, doublesFrameRate(picture, frameRate) ? 2 * frameRate : frameRate)
  const encoder = openPictureEncoder({
    size,
    frameRate: outputRate,
    maxBitRate: limitBitRate(size, { ...survey, frameRate: outputRate }),
    quality: chooseQuality({ ...size, name: Math.min(size.width, size.height) }),
    encoder: plan.encoder,
  })
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), interleaved)
  const clock = makeSegmentClock(null)
  return makePictureLane(source, {
    picture,
    frameRate,
    endSeconds: survey.pictureEndSeconds,
    targets: [{ size, encoder, deliver }],
    clock,
  })
}

/** AVI is left out: what it says about times does not suffice for H.264. */
function canCopyPicture(
  source: Source,
  picture: Picture,
  { size, frameRate }: { size: Size; frameRate: number },
): boolean {
  return (
    source.container !== 'avi' &&
    isBrowserPicture(source.video, picture) &&
    picture.orientation.rotation === 0 &&
    picture.squarePixels &&
    isSameSize(picture, size) &&
    frameRate > 0 &&
    frameRate <= maxCopiedFrameRate
  )
}

function soundLanes(output: Mp4Output, source: Source, plan: Plan): [number, Lane][] {
  const lanes: [number, Lane][] = []
  for (const [index, stream] of source.audio.entries()) {
    const bitRate = limitSoundBitRate(stream, plan.survey?.sounds[index])
    const lane = soundLane(output, source, { stream, bitRate })
    if (lane) lanes.push([stream.index, lane])
    if (lane && !plan.keepsAllSound) break
  }
  return lanes
}

function canCopySound({ container }: Source, stream: Stream): boolean {
  return container !== 'avi' && isPlainStereo(stream)
}

function soundLane(
  output: Mp4Output,
  source: Source,
  { stream, bitRate }: { stream: Stream; bitRate: number },
): Lane | null {
  const { offsetSeconds } = source
  if (canCopySound(source, stream)) {
    const deliver = deliverTo(output, addCopiedTrack(output, stream), interleaved)
    return makeCopyLane(stream, { offsetSeconds, deliver })
  }
  const decoder = openDecoder(stream)
  if (!decoder) return null
  const encoder = openSoundEncoder(bitRate)
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context, stream), interleaved)
  return makeSoundLane(stream, { decoder, offsetSeconds, use: { encode: { encoder, deliver } } })
}

function outputSize(picture: Picture, quickShortSide: number | undefined): Size {
  if (quickShortSide !== undefined) {
    const { width, height } = makeRung(picture, quickShortSide)
    return { width, height }
  }
  const isPortrait = picture.height > picture.width
  const [width, height] = isPortrait ? [shortSide, longSide] : [longSide, shortSide]
  return fitInside(picture, { width, height })
}

async function finish(output: Mp4Output): Promise<number> {
  const [video, ...others] = output.tracks.map((track) => track.tally)
  if (!video || video.packets < 2) {
    abandonMp4(output)
    throw video?.packets === 1 ? stillPicture() : damagedVideo()
  }
  await finishMp4(output)
  return roundToMs(tallyEnd(video, others))
}
