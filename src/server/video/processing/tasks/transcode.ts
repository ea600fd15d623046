import type { Packet, Stream } from 'node-av/lib'
import { limitBitRate, limitSoundBitRate } from '../encode/bit-rates.ts'
import { openPictureEncoder, openSoundEncoder } from '../encode/encoder.ts'
import type { EncoderName } from '../encode/encoder-name.ts'
import { chooseQuality, fitShortSide } from '../encode/rendition-size.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import { damagedVideo, onlyOnePicture } from '../media-errors.ts'
import {
  abandonMp4,
  addCopiedTrack,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from '../package/mp4-output.ts'
import { copyStream } from '../package/stream-copy.ts'
import { doublesFrameRate } from '../picture/picture-filters.ts'
import { makePictureTranscoder } from '../picture/picture-transcoder.ts'
import { makeSoundTranscoder } from '../sound/sound-transcoder.ts'
import { findHeardSound } from '../source/heard-sound.ts'
import type { PacketSink } from '../source/open-source.ts'
import {
  closeSource,
  expectSeconds,
  openSource,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { claimedFrameRate, roundToMs, tallyEnd } from '../source/packet-tally.ts'
import {
  fitInside,
  inspectPicture,
  type Picture,
  type Size,
  storedSize,
} from '../source/picture.ts'
import { analyzeSource, type SourceAnalysis } from '../source/source-analysis.ts'
import { openDecoder } from '../source/stream-decoder.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import { canCopyPicture, canCopySound } from './browser-codecs.ts'
import type { Report, TranscodeResult, TranscodeTask } from './media-task.ts'

const longSide = 1920
const shortSide = 1080

const interleaved = { interleaved: true }

type Plan = {
  picture: Picture
  size: Size
  copiesPicture: boolean
  analysis: SourceAnalysis | null
  keepsAllSound: boolean
  frameRate: number
  encoder: EncoderName
}

/** Copies what fits. Keeps only the first audible track unless `quickShortSide` is given. */
export async function transcode(task: TranscodeTask, report: Report): Promise<TranscodeResult> {
  const opened = await openSource(task.sourcePath)
  const picture = await inspectPicture(opened)
  const soundTracks = opened.audio.length
  const planned = makePlan(opened, picture, task)
  // The index of a long recording is large: only one is in memory at a time.
  closeSource(opened)
  const firstSound = await findHeardSound(task.sourcePath, soundTracks)
  const analysis = planned.copiesAll ? null : await analyzeSource(task.sourcePath, { firstSound })

  const source = await openSource(task.sourcePath, { firstSound })
  const plan = { ...planned, analysis }
  const output = openMp4(task.outputPath, { kind: 'rewrite' }, expectSeconds(source))
  try {
    const sinks = new Map<number, PacketSink>([
      [source.video.index, pictureSink(output, source, plan)],
      ...soundSinks(output, source, plan),
    ])
    beginMp4(output)
    await readPackets(source, (packet) => {
      report((Number(packet.pos) / source.sizeBytes) * 99, {
        stage: 'encoding',
        doneSeconds: packetSeconds(source, packet),
      })
      return sinks.get(packet.streamIndex)?.push(packet)
    })
    for (const sink of sinks.values()) await sink.finish()
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  closeSource(source)
  const { size, copiesPicture } = plan
  return { durationSeconds: await finish(output), ...size, copied: copiesPicture }
}

/** 0 if unknown, and for encoder priming. */
function packetSeconds({ input, offsetSeconds }: Source, packet: Packet): number {
  const base = input.streams[packet.streamIndex]?.timeBase
  const time = decodingTime(packet)
  return base && isTimestamp(time) ? Math.max(0, toSeconds(time, base) - offsetSeconds) : 0
}

function makePlan(
  source: Source,
  picture: Picture,
  task: TranscodeTask,
): Omit<Plan, 'analysis'> & { copiesAll: boolean } {
  const frameRate = claimedFrameRate(source.video)
  const isQuick = task.quickShortSide !== undefined
  const size = outputSize(picture, task.quickShortSide)
  const copiesPicture = canCopyPicture(source, picture, isQuick ? undefined : size)
  return {
    copiesAll: copiesPicture && source.audio.every((stream) => canCopySound(source, stream)),
    picture,
    size: copiesPicture ? { width: picture.width, height: picture.height } : size,
    copiesPicture,
    keepsAllSound: isQuick,
    frameRate,
    encoder: task.encoder ?? 'libx264',
  }
}

function pictureSink(output: Mp4Output, source: Source, plan: Plan): PacketSink {
  const { offsetSeconds, video } = source
  const { picture, size, frameRate, analysis } = plan
  if (plan.copiesPicture || !analysis) {
    const deliver = deliverTo(output, addCopiedTrack(output, video), interleaved)
    return copyStream(video, { offsetSeconds, deliver })
  }
  const outputRate = Math.min(60, doublesFrameRate(picture, frameRate) ? 2 * frameRate : frameRate)
  const encoder = openPictureEncoder({
    size,
    frameRate: outputRate,
    maxBitRate: limitBitRate(size, { ...analysis, frameRate: outputRate }),
    quality: chooseQuality({ ...size, name: Math.min(size.width, size.height) }),
    encoder: plan.encoder,
    durationSeconds: analysis.durationSeconds,
    source: storedSize(picture),
  })
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), interleaved)
  const clock = makeSegmentClock(null)
  return makePictureTranscoder(source, {
    picture,
    frameRate,
    endSeconds: analysis.pictureEndSeconds,
    targets: [{ size, encoder, deliver }],
    clock,
  })
}

function soundSinks(output: Mp4Output, source: Source, plan: Plan): [number, PacketSink][] {
  const sinks: [number, PacketSink][] = []
  for (const [index, stream] of source.audio.entries()) {
    const bitRate = limitSoundBitRate(stream, plan.analysis?.sounds[index])
    const sink = soundSink(output, source, { stream, bitRate })
    if (sink) sinks.push([stream.index, sink])
    if (sink && !plan.keepsAllSound) break
  }
  return sinks
}

function soundSink(
  output: Mp4Output,
  source: Source,
  { stream, bitRate }: { stream: Stream; bitRate: number },
): PacketSink | null {
  const { offsetSeconds } = source
  if (canCopySound(source, stream)) {
    const deliver = deliverTo(output, addCopiedTrack(output, stream), interleaved)
    return copyStream(stream, { offsetSeconds, deliver })
  }
  const decoder = openDecoder(stream)
  if (!decoder) return null
  const encoder = openSoundEncoder(bitRate)
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context, stream), interleaved)
  return makeSoundTranscoder(stream, {
    decoder,
    offsetSeconds,
    use: { encode: { encoder, deliver } },
  })
}

function outputSize(picture: Picture, quickShortSide: number | undefined): Size {
  if (quickShortSide !== undefined) {
    const { width, height } = fitShortSide(picture, quickShortSide)
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
    const hasSound = others.some(({ packets }) => packets > 0)
    throw video?.packets === 1 ? onlyOnePicture({ hasSound }) : damagedVideo()
  }
  await finishMp4(output)
  return roundToMs(tallyEnd(video, others))
}
