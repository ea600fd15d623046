import {
  AV_PICTURE_TYPE_NONE,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_VIDEO,
  type FFEncoderCodec,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  FFmpegError,
  type FilterContext,
  FilterGraph,
  type FormatContext,
  Frame,
  Packet,
  type Stream,
} from 'node-av/lib'

/** An encoder and the filters that feed it. */
export type Track = {
  encoder: CodecContext
  graph: FilterGraph
  sink: FilterContext
  stream: Stream
  /** Frames after this time get this duration. */
  held?: { fromSeconds: number; seconds: number }
  /** Packets in these ranges are left out. */
  gaps?: [fromSeconds: number, toSeconds: number][]
}

export function openGraph(description: string, sinkName: string): [FilterGraph, FilterContext] {
  const graph = new FilterGraph()
  graph.alloc()
  check(graph.parsePtr(`${description},${sinkName}@out`), description)
  check(graph.configSync(), description)
  const sink = graph.getFilter(`${sinkName}@out`)
  if (!sink) throw new Error('The filter graph has no end.')
  return [graph, sink]
}

export function allocateEncoder(name: string): CodecContext {
  const codec = Codec.findEncoderByName(name as FFEncoderCodec)
  if (!codec) throw new Error(`There is no encoder ${name}.`)
  const encoder = new CodecContext()
  encoder.allocContext3(codec)
  encoder.threadCount = 2
  return encoder
}

export function addStream(output: FormatContext, encoder: CodecContext): Stream {
  const stream = output.newStream()
  check(stream.codecpar.fromContext(encoder), 'stream')
  stream.timeBase = encoder.timeBase
  return stream
}

/** Encodes all tracks, interleaved by time. */
export function writeTracks(output: FormatContext, tracks: Track[]): void {
  const frame = new Frame()
  frame.alloc()
  const packet = new Packet()
  packet.alloc()
  // The time of the last frame sent; the track that is furthest behind goes on.
  const open = new Map(tracks.map((track) => [track, 0]))
  for (;;) {
    const [track] = [...open].sort(([, a], [, b]) => a - b)[0] ?? []
    if (!track) break
    const got = track.sink.buffersinkGetFrameSync(frame)
    if (got === AVERROR_EOF) {
      open.delete(track)
      check(track.encoder.sendFrameSync(null), 'flush')
    } else {
      check(got, 'frame')
      const base = track.sink.buffersinkGetTimeBase()
      const seconds = (Number(frame.pts) * base.num) / base.den
      open.set(track, seconds)
      frame.pictType = AV_PICTURE_TYPE_NONE
      if (track.held && seconds > track.held.fromSeconds) {
        frame.duration = BigInt(Math.round((track.held.seconds * base.den) / base.num))
      }
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
    const { num, den } = track.encoder.timeBase
    const isPicture = track.encoder.codecType === AVMEDIA_TYPE_VIDEO
    const seconds = (Number(isPicture ? packet.dts : packet.pts) * num) / den
    if (track.gaps?.some(([from, to]) => seconds >= from && seconds < to)) continue
    packet.rescaleTs(track.encoder.timeBase, track.stream.timeBase)
    packet.streamIndex = track.stream.index
    check(output.interleavedWriteFrameSync(packet), 'write')
  }
}

export function freeTracks(tracks: Track[]): void {
  for (const { graph, encoder } of tracks) {
    graph.free()
    encoder.freeContext()
  }
}

export function check(code: number, what: string): void {
  if (code < 0) throw new Error(`${what}: ${FFmpegError.strerror(code)}`)
}
