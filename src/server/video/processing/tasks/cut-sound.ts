import { AVDISCARD_ALL } from 'node-av/constants'
import { Packet, type Stream } from 'node-av/lib'
import { limitSoundBitRate } from '../encode/bit-rates.ts'
import {
  type Encoder,
  openSoundEncoder,
  readSoundLayout,
  type SoundLayout,
  soundRate,
  stereo,
} from '../encode/encoder.ts'
import { addEncodedTrack, deliverTo, type Mp4Output } from '../package/mp4-output.ts'
import { isPauseDue, pause } from '../pauses.ts'
import { makeSoundCutter, type SoundCutter } from '../sound/sound-cutter.ts'
import { makeSoundTranscoder, type SoundTranscoder } from '../sound/sound-transcoder.ts'
import {
  closeSource,
  type OpenOptions,
  openSource,
  readPacket,
  type Source,
} from '../source/open-source.ts'
import { seekSource } from '../source/seek.ts'
import { leadInSeconds, openDecoder } from '../source/stream-decoder.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import { canCopySound } from './browser-codecs.ts'
import type { CutTask } from './media-task.ts'

const runOutSeconds = 0.5

export type SoundFeed = {
  advanceTo: (seconds: number) => Promise<void>
  finish: () => Promise<void>
}

type Track = {
  stream: Stream
  layout: SoundLayout
  cutter: SoundCutter
  transcoder: SoundTranscoder | null
}

/** All encoded: joints are exact to the sample. */
export async function openSoundFeed(
  output: Mp4Output,
  task: Pick<CutTask, 'sourcePath' | 'parts'> &
    Pick<OpenOptions, 'firstSound'> & { isKept: boolean },
): Promise<SoundFeed> {
  const source = await openSource(task.sourcePath, { firstSound: task.firstSound })
  // Matroska seeks quickly by pictures only.
  if (source.container === 'mp4') source.video.discard = AVDISCARD_ALL
  const tracks = source.audio.map((stream) =>
    openTrack(output, stream, { keepsLayout: task.isKept || canCopySound(source, stream) }),
  )
  const parts = placeParts(task.parts)
  const packet = new Packet()
  packet.alloc()
  let position = -1
  let written = 0

  const endPart = async () => {
    for (const track of tracks) {
      await track.transcoder?.finish()
      track.transcoder = null
      track.cutter.end()
    }
  }
  const beginPart = () => {
    position += 1
    const part = parts[position]
    if (!part) return
    seekSource(source, Math.max(0, part.fromSeconds - leadInSeconds) + source.offsetSeconds)
    for (const track of tracks) beginTrack(source, track, part)
  }
  const readOne = async () => {
    const part = parts[position]
    if (!part) return
    const code = readPacket(source, packet)
    const track = tracks.find(({ stream }) => stream.index === packet.streamIndex)
    const stream = source.input.streams[packet.streamIndex]
    const stamp = decodingTime(packet)
    const seconds =
      code >= 0 && stream && isTimestamp(stamp)
        ? toSeconds(stamp, stream.timeBase) - source.offsetSeconds
        : Number.POSITIVE_INFINITY
    const isOver = code < 0 || seconds > part.toSeconds + runOutSeconds
    if (!isOver) {
      await track?.transcoder?.push(packet)
      written = part.outputSeconds + Math.max(0, seconds - part.fromSeconds)
    }
    packet.unref()
    if (isPauseDue()) await pause()
    if (!isOver) return
    await endPart()
    written = part.outputSeconds + part.toSeconds - part.fromSeconds
    beginPart()
  }
  if (tracks.length > 0) beginPart()
  return {
    advanceTo: async (seconds) => {
      while (tracks.length > 0 && position < parts.length && written < seconds) await readOne()
    },
    finish: async () => {
      while (tracks.length > 0 && position < parts.length) await readOne()
      for (const { cutter } of tracks) cutter.finish()
      packet.free()
      closeSource(source)
    },
  }
}

function openTrack(
  output: Mp4Output,
  stream: Stream,
  { keepsLayout }: { keepsLayout: boolean },
): Track {
  const own = keepsLayout ? readSoundLayout(stream) : null
  const { encoder, layout } = openEncoder(stream, own ?? stereo)
  const track = addEncodedTrack(output, encoder.context, stream)
  const deliver = deliverTo(output, track, { interleaved: true })
  const cutter = makeSoundCutter({ encoder, deliver, layout })
  return { stream, layout, cutter, transcoder: null }
}

/** Stereo where the encoder does not take the layout. */
function openEncoder(
  stream: Stream,
  layout: SoundLayout,
): { encoder: Encoder; layout: SoundLayout } {
  const bitRate = limitSoundBitRate(stream, undefined) * Math.max(1, layout.channels / 2)
  try {
    return { encoder: openSoundEncoder(bitRate, layout), layout }
  } catch (error) {
    if (layout === stereo) throw error
    return openEncoder(stream, stereo)
  }
}

type PlacedPart = CutTask['parts'][number] & { outputSeconds: number; length: number }

/** In samples, so that rounding does not add up. */
function placeParts(parts: CutTask['parts']): PlacedPart[] {
  let seconds = 0
  return parts.map((part) => {
    const outputSeconds = seconds
    seconds += part.toSeconds - part.fromSeconds
    const length = Math.round(seconds * soundRate) - Math.round(outputSeconds * soundRate)
    return { ...part, outputSeconds, length }
  })
}

function beginTrack(source: Source, track: Track, part: PlacedPart): void {
  const firstSample = Math.round(part.fromSeconds * soundRate)
  track.cutter.begin({ firstSample, length: part.length })
  const decoder = openDecoder(track.stream)
  if (!decoder) return
  const { offsetSeconds } = source
  const use = { meters: [{ push: track.cutter.take }] }
  const { stream, layout } = track
  const options = { decoder, offsetSeconds, firstSample, layout, use }
  track.transcoder = makeSoundTranscoder(stream, options)
}
