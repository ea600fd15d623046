import { AV_CODEC_FLAG_GLOBAL_HEADER, AV_LOG_ERROR } from 'node-av/constants'
import { Dictionary, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'
import {
  addStream,
  allocateEncoder,
  check,
  freeTracks,
  openGraph,
  type Track,
  writeTracks,
} from './tracks.ts'

/** Chains of FFmpeg filters that begin with a source. */
export type Recording = {
  picture: string
  frameRate: number
  /** The first one is the default track. */
  sounds: { source: string; title?: string }[]
}

const SAMPLE_RATE = 48_000
const SAMPLES = 1024

/**
 * Writes an MP4 with H.264 and AAC, as capture programs do.
 * @throws when FFmpeg refuses
 */
export function writeRecording(path: string, { picture, frameRate, sounds }: Recording): void {
  Log.setLevel(AV_LOG_ERROR)
  const output = new FormatContext()
  check(output.allocOutputContext2(null, 'mp4', path), 'output')
  check(output.openOutputSync(), 'open')
  const tracks = [
    addPicture(output, { picture, frameRate }),
    ...sounds.map((sound) => addSound(output, sound)),
  ]
  check(output.writeHeaderSync(Dictionary.fromObject({ movflags: '+faststart' })), 'header')
  writeTracks(output, tracks)
  check(output.writeTrailerSync(), 'trailer')
  output.closeOutputSync()
  freeTracks(tracks)
  output.freeContext()
}

/** @returns PNG */
export function drawPicture(source: string): Buffer {
  Log.setLevel(AV_LOG_ERROR)
  const [graph, sink] = openGraph(`${source},format=rgb24`, 'buffersink')
  const encoder = allocateEncoder('png')
  encoder.width = sink.buffersinkGetWidth()
  encoder.height = sink.buffersinkGetHeight()
  encoder.pixelFormat = sink.buffersinkGetFormat() as typeof encoder.pixelFormat
  encoder.timeBase = sink.buffersinkGetTimeBase()
  check(encoder.open2Sync(null, null), 'png')
  const frame = new Frame()
  frame.alloc()
  const packet = new Packet()
  packet.alloc()
  check(sink.buffersinkGetFrameSync(frame), 'frame')
  check(encoder.sendFrameSync(frame), 'encode')
  check(encoder.sendFrameSync(null), 'flush')
  check(encoder.receivePacketSync(packet), 'packet')
  const bytes = Buffer.from(packet.data ?? [])
  frame.free()
  packet.free()
  graph.free()
  encoder.freeContext()
  return bytes
}

function addPicture(
  output: FormatContext,
  { picture, frameRate }: { picture: string; frameRate: number },
): Track {
  const [graph, sink] = openGraph(`${picture},setsar=1,format=yuv420p`, 'buffersink')
  const encoder = allocateEncoder('libx264')
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  encoder.width = sink.buffersinkGetWidth()
  encoder.height = sink.buffersinkGetHeight()
  encoder.pixelFormat = sink.buffersinkGetFormat() as typeof encoder.pixelFormat
  encoder.timeBase = sink.buffersinkGetTimeBase()
  encoder.framerate = new Rational(frameRate, 1)
  encoder.gopSize = frameRate * 2
  for (const [name, value] of [
    ['preset', 'ultrafast'],
    ['crf', '23'],
  ] as const) {
    check(encoder.setOption(name, value), name)
  }
  check(encoder.open2Sync(null, null), 'libx264')
  return { encoder, graph, sink, stream: addStream(output, encoder) }
}

function addSound(
  output: FormatContext,
  { source, title }: { source: string; title?: string },
): Track {
  const [graph, sink] = openGraph(
    `${source},aformat=sample_fmts=fltp:channel_layouts=stereo:sample_rates=${SAMPLE_RATE},asetnsamples=n=${SAMPLES}:p=0`,
    'abuffersink',
  )
  const encoder = allocateEncoder('aac')
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  encoder.sampleRate = SAMPLE_RATE
  encoder.sampleFormat = sink.buffersinkGetFormat() as typeof encoder.sampleFormat
  encoder.channelLayout = sink.buffersinkGetChannelLayout()
  encoder.timeBase = new Rational(1, SAMPLE_RATE)
  check(encoder.open2Sync(null, null), 'aac')
  const stream = addStream(output, encoder)
  if (title) stream.metadata = Dictionary.fromObject({ title, handler_name: title })
  return { encoder, graph, sink, stream }
}
