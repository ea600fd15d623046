import {
  BlobSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MkvOutputFormat,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  QTFF,
  StreamTarget,
  type StreamTargetChunk,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import { readHandlerNames } from './handler-names.ts'
import { packetsUntil } from './packet-range.ts'

const CHUNK_BYTES = 4 * 1024 * 1024

/** A sentence for the member. */
export class TrimError extends Error {}

export const UNREADABLE =
  'This file cannot be trimmed in the browser. Upload the whole file and trim it afterwards.'

export type TrimRange = { fromSeconds: number; toSeconds: number }

type CopyOptions = {
  /** Chunks with positions. */
  writable: WritableStream<StreamTargetChunk>
  signal: AbortSignal
  /** 0 to 1. */
  onProgress: (share: number) => void
}

/** A copied stream. */
type Lane = {
  next: () => Promise<IteratorResult<EncodedPacket>>
  add: (packet: EncodedPacket) => Promise<void>
}

export type TrimSource = Awaited<ReturnType<typeof openTrimSource>>

/**
 * Reads the index of an MP4, MOV, MKV or WebM.
 * @throws TrimError for other files and uncopyable streams
 */
export async function openTrimSource(file: Blob) {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, MATROSKA, WEBM] })
  try {
    const format = toOutputFormat((await input.getFormat()).name)
    const [videos, sounds] = [await input.getVideoTracks(), await input.getAudioTracks()]
    const [video] = videos
    if (!video || videos.length > 1) throw new TrimError(UNREADABLE)
    for (const track of [video, ...sounds]) {
      const codec = await track.getCodec()
      const known: readonly string[] = format.getSupportedCodecs()
      if (!codec || !known.includes(codec)) throw new TrimError(UNREADABLE)
    }
    const pictures = new EncodedPacketSink(video)
    const handlerNames = await readHandlerNames(file)
    const durationSeconds = await input.computeDuration([video], { skipLiveWait: true })
    return {
      durationSeconds,
      /** Time of the preceding key frame. */
      startOf: async (seconds: number) => beginOf(await findStart(pictures, seconds), seconds),
      copy: (range: TrimRange, options: CopyOptions) =>
        copyRange({ video, sounds, pictures, format, handlerNames }, range, options),
      close: () => input.dispose(),
    }
  } catch (error) {
    input.dispose()
    throw error instanceof TrimError ? error : new TrimError(UNREADABLE, { cause: error })
  }
}

type Tracks = {
  video: InputVideoTrack
  sounds: InputAudioTrack[]
  pictures: EncodedPacketSink
  format: OutputFormat
  handlerNames: Map<number, string>
}

/** Starts at the preceding key frame; holds one chunk in memory. */
async function copyRange(tracks: Tracks, range: TrimRange, options: CopyOptions): Promise<void> {
  const { signal, onProgress } = options
  const { video, sounds, pictures, format, handlerNames } = tracks
  const first = await findStart(pictures, range.fromSeconds)
  const start = beginOf(first, range.fromSeconds)
  const target = new StreamTarget(options.writable, { chunked: true, chunkSize: CHUNK_BYTES })
  const output = new Output({ format, target })
  const lanes = [await videoLane(output, { video, pictures }, first, range.toSeconds)]
  for (const sound of sounds) {
    const lane = await soundLane(output, sound, {
      ...{ ...range, fromSeconds: start },
      name: (await sound.getName()) ?? handlerNames.get(sound.id) ?? null,
    })
    if (lane) lanes.push(lane)
  }
  try {
    await output.start()
    await interleave(lanes, (packet) => {
      signal.throwIfAborted()
      onProgress(Math.min(1, (packet.timestamp - start) / (range.toSeconds - start)))
      return packet.clone({ timestamp: packet.timestamp - start })
    })
    await output.finalize()
  } catch (error) {
    await output.cancel().catch(() => undefined)
    throw error
  }
}

/** Merges by time. */
async function interleave(lanes: Lane[], move: (packet: EncodedPacket) => EncodedPacket) {
  const heads = await Promise.all(
    lanes.map(async (lane) => ({ lane, packet: (await lane.next()).value })),
  )
  for (;;) {
    let head: (typeof heads)[number] | undefined
    for (const one of heads) {
      if (one.packet && (!head?.packet || one.packet.timestamp < head.packet.timestamp)) head = one
    }
    if (!head?.packet) return
    await head.lane.add(move(head.packet))
    head.packet = (await head.lane.next()).value
  }
}

async function videoLane(
  output: Output,
  { video, pictures }: Pick<Tracks, 'video' | 'pictures'>,
  first: EncodedPacket,
  toSeconds: number,
): Promise<Lane> {
  const codec = await video.getCodec()
  const decoderConfig = await video.getDecoderConfig()
  if (!codec || !decoderConfig) throw new TrimError(UNREADABLE)
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: await video.getRotation() })
  const packets = packetsUntil(pictures.packets(first), toSeconds)
  return {
    next: () => nextFrom(packets, first.timestamp),
    add: (packet) => source.add(packet, { decoderConfig }),
  }
}

async function soundLane(
  output: Output,
  track: InputAudioTrack,
  { fromSeconds, toSeconds, name }: TrimRange & { name: string | null },
): Promise<Lane | undefined> {
  const codec = await track.getCodec()
  const decoderConfig = await track.getDecoderConfig()
  if (!codec || !decoderConfig) throw new TrimError(UNREADABLE)
  const sink = new EncodedPacketSink(track)
  const first = (await sink.getPacket(fromSeconds)) ?? (await sink.getFirstPacket())
  if (!first || first.timestamp >= toSeconds) return undefined
  const source = new EncodedAudioPacketSource(codec)
  const languageCode = await track.getLanguageCode()
  output.addAudioTrack(source, { languageCode, ...(name !== null && { name }) })
  const packets = packetsUntil(sink.packets(first), toSeconds)
  return {
    next: () => nextFrom(packets, fromSeconds),
    add: (packet) => source.add(packet, { decoderConfig }),
  }
}

/** Drops pictures that depend on what precedes the key frame. */
async function nextFrom(packets: AsyncGenerator<EncodedPacket>, fromSeconds: number) {
  for (;;) {
    const result = await packets.next()
    if (result.done || result.value.timestamp >= fromSeconds) return result
  }
}

/** Sound may begin before the first picture. */
function beginOf({ timestamp }: EncodedPacket, seconds: number): number {
  return Math.min(timestamp, seconds)
}

async function findStart(pictures: EncodedPacketSink, seconds: number): Promise<EncodedPacket> {
  const options = { verifyKeyPackets: true }
  const packet =
    (await pictures.getKeyPacket(seconds, options)) ?? (await pictures.getFirstKeyPacket(options))
  if (!packet) throw new TrimError(UNREADABLE)
  return packet
}

function toOutputFormat(name: string): OutputFormat {
  switch (name) {
    case 'MP4':
      return new Mp4OutputFormat({ fastStart: false })
    case 'QuickTime File Format':
      return new MovOutputFormat({ fastStart: false })
    case 'Matroska':
      return new MkvOutputFormat()
    case 'WebM':
      return new WebMOutputFormat()
    default:
      throw new TrimError(UNREADABLE)
  }
}
