import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_ERROR,
  AV_PICTURE_TYPE_NONE,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type FFEncoderCodec,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  type FilterContext,
  FilterGraph,
  FormatContext,
  Frame,
  Log,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib'

/** Chains of FFmpeg filters that begin with a source. */
export type Recording = {
  picture: string
  frameRate: number
  /** The first one is the default track. */
  sounds: { source: string; title?: string }[]
}

type Track = {
  encoder: CodecContext
  graph: FilterGraph
  sink: FilterContext
  stream: Stream
  /** Time of the last frame sent, so that tracks are interleaved. */
  seconds: number
  ended: boolean
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
  for (const { graph, encoder } of tracks) {
    graph.free()
    encoder.freeContext()
  }
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
  return addTrack(output, { encoder, graph, sink })
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
  const track = addTrack(output, { encoder, graph, sink })
  if (title) track.stream.metadata = Dictionary.fromObject({ title, handler_name: title })
  return track
}

function addTrack(
  output: FormatContext,
  parts: { encoder: CodecContext; graph: FilterGraph; sink: FilterContext },
): Track {
  const stream = output.newStream()
  check(stream.codecpar.fromContext(parts.encoder), 'stream')
  stream.timeBase = parts.encoder.timeBase
  return { ...parts, stream, seconds: 0, ended: false }
}

function openGraph(description: string, sinkName: string): [FilterGraph, FilterContext] {
  const graph = new FilterGraph()
  graph.alloc()
  check(graph.parsePtr(`${description},${sinkName}@out`), description)
  check(graph.configSync(), description)
  const sink = graph.getFilter(`${sinkName}@out`)
  if (!sink) throw new Error('The filter graph has no end.')
  return [graph, sink]
}

function allocateEncoder(name: string): CodecContext {
  const codec = Codec.findEncoderByName(name as FFEncoderCodec)
  if (!codec) throw new Error(`There is no encoder ${name}.`)
  const encoder = new CodecContext()
  encoder.allocContext3(codec)
  encoder.threadCount = 2
  return encoder
}

function writeTracks(output: FormatContext, tracks: Track[]): void {
  const frame = new Frame()
  frame.alloc()
  const packet = new Packet()
  packet.alloc()
  for (;;) {
    const track = tracks.filter((one) => !one.ended).sort((a, b) => a.seconds - b.seconds)[0]
    if (!track) break
    const got = track.sink.buffersinkGetFrameSync(frame)
    if (got === AVERROR_EOF) {
      track.ended = true
      check(track.encoder.sendFrameSync(null), 'flush')
    } else {
      check(got, 'frame')
      const base = track.sink.buffersinkGetTimeBase()
      track.seconds = (Number(frame.pts) * base.num) / base.den
      frame.pictType = AV_PICTURE_TYPE_NONE
      check(track.encoder.sendFrameSync(frame), 'encode')
      frame.unref()
    }
    writePackets(output, track, packet)
  }
  frame.free()
  packet.free()
}

function writePackets(output: FormatContext, track: Track, packet: Packet): void {
  for (;;) {
    const got = track.encoder.receivePacketSync(packet)
    if (got === AVERROR_EAGAIN || got === AVERROR_EOF) return
    check(got, 'packet')
    packet.rescaleTs(track.encoder.timeBase, track.stream.timeBase)
    packet.streamIndex = track.stream.index
    check(output.interleavedWriteFrameSync(packet), 'write')
  }
}

function check(code: number, what: string): void {
  if (code < 0) throw new Error(`${what}: ${FFmpegError.strerror(code)}`)
}
