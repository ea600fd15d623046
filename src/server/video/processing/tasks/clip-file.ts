import { stat } from 'node:fs/promises'
import type { Packet } from 'node-av/lib'
import { CLIP_FILE_BYTES_MAX } from '#shared/limits.ts'
import { limitBitRate } from '../encode/bit-rates.ts'
import { openPictureEncoder, openSoundEncoder } from '../encode/encoder.ts'
import { chooseQuality, fitShortSide } from '../encode/rendition-size.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import {
  abandonMp4,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from '../package/mp4-output.ts'
import { makePictureTranscoder } from '../picture/picture-transcoder.ts'
import { makeSoundTranscoder } from '../sound/sound-transcoder.ts'
import {
  closeSource,
  codecName,
  openSource,
  type PacketSink,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { claimedFrameRate } from '../source/packet-tally.ts'
import { inspectPicture, type Picture } from '../source/picture.ts'
import { seekSource } from '../source/seek.ts'
import { leadInSeconds, openDecoder } from '../source/stream-decoder.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import type { ClipResult, ClipTask, Report } from './media-task.ts'
import { planShareFile } from './share-file.ts'

/** Shares of the budget per attempt: encoders may overshoot. */
const shares = [1, 0.7, 0.45]

/**
 * Begins with the picture shown at `startSeconds`; at most 720p and `CLIP_FILE_BYTES_MAX`.
 * @throws UnplayableSourceError if nothing is decodable there
 */
export async function makeClipFile(task: ClipTask, report: Report): Promise<ClipResult> {
  const { sourcePath, outputPath } = task
  const inspected = await openSource(sourcePath)
  const picture = await inspectPicture(inspected)
  closeSource(inspected)
  for (const share of shares) {
    await encodeRange(task, { picture, maxBytes: CLIP_FILE_BYTES_MAX * share, report })
    const { size: bytes } = await stat(outputPath)
    if (bytes <= CLIP_FILE_BYTES_MAX) return { bytes }
  }
  throw new Error('The clip does not fit into its budget.')
}

type Encoding = { picture: Picture; maxBytes: number; report: Report }

async function encodeRange(task: ClipTask, encoding: Encoding): Promise<void> {
  const { startSeconds, endSeconds } = task
  const opened = await openSource(task.sourcePath)
  const from = opened.offsetSeconds + startSeconds
  const until = opened.offsetSeconds + endSeconds
  const source = { ...opened, offsetSeconds: from }
  const output = openMp4(task.outputPath, { kind: 'rewrite' }, endSeconds - startSeconds)
  try {
    const sinks = addTracks(output, source, { ...encoding, seconds: endSeconds - startSeconds })
    beginMp4(output)
    seekSource(opened, from - leadInSeconds)
    const unfinished = new Set(sinks.keys())
    await readPackets(opened, async (packet) => {
      const sink = sinks.get(packet.streamIndex)
      if (!sink) return true
      const seconds = timeOf(source, packet)
      if (seconds >= until) unfinished.delete(packet.streamIndex)
      else await sink.push(packet)
      encoding.report((100 * (seconds - from)) / (until - from), { stage: 'sharing' })
      return unfinished.size > 0
    })
    for (const sink of sinks.values()) await sink.finish()
    await finishMp4(output)
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  closeSource(source)
}

/** No later packet has an earlier picture. */
function timeOf(source: Source, packet: Packet): number {
  const stream = source.input.streams[packet.streamIndex]
  const time = decodingTime(packet)
  return stream && isTimestamp(time) ? toSeconds(time, stream.timeBase) : 0
}

function addTracks(
  output: Mp4Output,
  source: Source,
  { picture, maxBytes, seconds }: Encoding & { seconds: number },
): Map<number, PacketSink> {
  const plan = planShareFile(seconds, maxBytes)
  if (!plan) throw new Error('The clip is too long for its budget.')
  const { video, audio } = source
  const size = fitShortSide(picture, plan.shortSide)
  const frameRate = claimedFrameRate(video)
  const rates = { frameRate, codec: codecName(video), bitRate: 0, durationSeconds: seconds }
  const maxBitRate = Math.min(plan.pictureBitRate, limitBitRate(size, rates))
  const encoder = openPictureEncoder({ size, frameRate, maxBitRate, quality: chooseQuality(size) })
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  const pictures = makePictureTranscoder(source, {
    ...{ picture, frameRate, endSeconds: seconds, targets: [{ size, encoder, deliver }] },
    clock: makeSegmentClock(null),
    range: { startSeconds: 0, endSeconds: seconds },
  })
  const sinks = new Map<number, PacketSink>([[video.index, pictures]])
  const [sound] = audio
  const decoder = sound && openDecoder(sound)
  if (!sound || !decoder) return sinks
  const soundEncoder = openSoundEncoder(plan.soundBitRate)
  const track = addEncodedTrack(output, soundEncoder.context)
  const { offsetSeconds } = source
  const use = {
    encode: { encoder: soundEncoder, deliver: deliverTo(output, track, { interleaved: true }) },
  }
  return sinks.set(sound.index, makeSoundTranscoder(sound, { decoder, offsetSeconds, use }))
}
