import {
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_DBLP,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S32P,
  AV_SAMPLE_FMT_U8,
  AV_SAMPLE_FMT_U8P,
  AVDISCARD_ALL,
} from 'node-av/constants'
import type { Frame, Packet, Stream } from 'node-av/lib'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import { closeSource, openSource, readPackets } from './open-source.ts'
import { closeDecoder, decodePacket, openDecoder, type StreamDecoder } from './stream-decoder.ts'

/** -60 dBFS. */
const audiblePeak = 10 ** (-60 / 20)

/** Decoded in full. */
const wholeSeconds = 120

/** After that, packets per sampled run; the first ones settle the decoder. */
const sampledPackets = 6
const runPackets = 256

type Track = {
  stream: Stream
  decoder: StreamDecoder
  packets: number
  latest: Buffer | null
  isHeard: boolean
}

/**
 * The first track that is not silent throughout, else the first. Skips packets equal to the one
 * before, which encoders write for silence. Of a quiet track it decodes two minutes, then a tenth
 * of a second in every few.
 * @param soundTracks number of tracks
 * @returns index in `Source.audio`; undefined with fewer than two
 */
export async function findHeardSound(
  path: string,
  soundTracks: number,
): Promise<number | undefined> {
  if (soundTracks < 2) return undefined
  const source = await openSource(path)
  const { audio, video } = source
  video.discard = AVDISCARD_ALL
  const tracks = audio.map(openTrack)
  await readPackets(source, (packet) => {
    const index = tracks.findIndex((one) => one?.stream.index === packet.streamIndex)
    const track = tracks[index]
    if (!track || track.isHeard) return true
    listen(track, packet)
    if (track.isHeard) for (const one of audio.slice(index)) one.discard = AVDISCARD_ALL
    return !tracks[0]?.isHeard
  })
  const heard = tracks.findIndex((track) => track?.isHeard)
  for (const track of tracks) if (track) closeDecoder(track.decoder)
  closeSource(source)
  return Math.max(heard, 0)
}

function openTrack(stream: Stream): Track | null {
  const decoder = openDecoder(stream)
  return decoder && { stream, decoder, packets: 0, latest: null, isHeard: false }
}

function listen(track: Track, packet: Packet): void {
  const { stream } = track
  track.packets += 1
  const start = isTimestamp(stream.startTime) ? stream.startTime : 0n
  const time = isTimestamp(packet.pts) ? packet.pts : packet.dts
  const seconds = isTimestamp(time) ? toSeconds(time - start, stream.timeBase) : 0
  if (seconds > wholeSeconds && track.packets % runPackets >= sampledPackets) {
    track.latest = null
    return
  }
  const { data } = packet
  if (data && track.latest?.equals(data)) return
  track.latest = data
  decodePacket(track.decoder, packet, (frame) => {
    track.isHeard ||= findPeak(frame) >= audiblePeak
    return !track.isHeard
  })
}

type SampleKind = {
  /** Packed and planar. */
  formats: number[]
  read: (buffer: ArrayBufferLike, at: number, count: number) => ArrayLike<number>
  /** Silence, and its distance to full scale. */
  zero: number
  full: number
}

const kinds: SampleKind[] = [
  {
    formats: [AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P],
    read: (...range) => new Uint8Array(...range),
    zero: 128,
    full: 128,
  },
  {
    formats: [AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P],
    read: (...range) => new Int16Array(...range),
    zero: 0,
    full: 2 ** 15,
  },
  {
    formats: [AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P],
    read: (...range) => new Int32Array(...range),
    zero: 0,
    full: 2 ** 31,
  },
  {
    formats: [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP],
    read: (...range) => new Float32Array(...range),
    zero: 0,
    full: 1,
  },
  {
    formats: [AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP],
    read: (...range) => new Float64Array(...range),
    zero: 0,
    full: 1,
  },
]

/** 1 is full scale, also for unknown formats. */
function findPeak({ format, data, nbSamples, channels }: Frame): number {
  const kind = kinds.find(({ formats }) => formats.includes(format))
  if (!kind || !data) return 1
  const [packed] = kind.formats
  const count = format === packed ? nbSamples * channels : nbSamples
  let peak = 0
  for (const plane of data) {
    const samples = kind.read(plane.buffer, plane.byteOffset, count)
    for (let at = 0; at < count; at += 1) {
      const level = Math.abs((samples[at] ?? 0) - kind.zero)
      if (level > peak) peak = level
    }
  }
  return peak / kind.full
}
