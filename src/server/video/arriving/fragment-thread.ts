/** Worker thread: reads a recording that may not have arrived whole, and sends its fragments. */
import { parentPort, workerData } from 'node:worker_threads'
import {
  CustomSource,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  NullTarget,
  Output,
  QTFF,
} from 'mediabunny'
import { type CodedSample, cutFragments, type Lane } from './cut-fragments.ts'
import { readTracks, writeFragment } from './fragment.ts'

export type ThreadInput = { fileSize: number }

export type FromThread =
  | { kind: 'read'; id: number; start: number; end: number }
  | { kind: 'head'; bytes: Uint8Array; durationSeconds: number; width: number; height: number }
  | { kind: 'fragment'; bytes: Uint8Array; seconds: number }
  /** All fragments were sent before. */
  | { kind: 'over'; reason: 'end' | 'unplayable' }

/** Without bytes the file ends before the place. */
export type ToThread = { id: number; bytes: Uint8Array<ArrayBuffer> | null }

const port = parentPort
if (!port) throw new Error('This is a worker thread.')

const waiting = new Map<number, (bytes: Uint8Array<ArrayBuffer> | null) => void>()
let reads = 0
let hasEnded = false

port.on('message', ({ id, bytes }: ToThread) => {
  waiting.get(id)?.(bytes)
  waiting.delete(id)
})

void makeFragments(workerData as ThreadInput).then(
  (reason) => send({ kind: 'over', reason }),
  // The bytes that are missing may have been beyond the last sample.
  () => send({ kind: 'over', reason: hasEnded ? 'end' : 'unplayable' }),
)

function send(message: FromThread): void {
  port?.postMessage(message)
}

function read(start: number, end: number): Promise<Uint8Array> {
  const id = reads++
  send({ kind: 'read', id, start, end })
  return new Promise((resolve, reject) => {
    waiting.set(id, (bytes) => {
      hasEnded ||= bytes === null
      if (bytes) resolve(bytes)
      else reject(new Error('The file ends before this.'))
    })
  })
}

async function makeFragments({ fileSize }: ThreadInput): Promise<'end' | 'unplayable'> {
  const input = new Input({
    formats: [MP4, QTFF, MATROSKA],
    source: new CustomSource({ getSize: () => fileSize, read }),
  })
  const video = await input.getPrimaryVideoTrack()
  const sound = await input.getPrimaryAudioTrack()
  if (!video || (await video.getCodec()) !== 'avc') return 'unplayable'
  if (sound && (await sound.getCodec()) !== 'aac') return 'unplayable'
  const moov = await writeHead({ video, sound })
  send({
    kind: 'head',
    bytes: moov.head,
    durationSeconds: (await input.getDurationFromMetadata([video])) ?? 0,
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
  })
  const [pictures, sounds] = moov.tracks
  if (!pictures) return 'unplayable'
  const laneOf = (track: InputVideoTrack | InputAudioTrack, of: typeof pictures): Lane => ({
    trackId: of.id,
    timescale: of.timescale,
    samples: toSamples(new EncodedPacketSink(track).packets()),
  })
  let number = 0
  for await (const { runs, seconds } of cutFragments(
    laneOf(video, pictures),
    sound && sounds ? laneOf(sound, sounds) : undefined,
  )) {
    number += 1
    send({ kind: 'fragment', bytes: writeFragment({ number, runs }), seconds })
  }
  return 'end'
}

async function* toSamples(packets: AsyncIterable<EncodedPacket>): AsyncGenerator<CodedSample> {
  for await (const { data, timestamp, duration, type } of packets) {
    yield { bytes: data, timestamp, duration, isKey: type === 'key' }
  }
}

/** Leaves out the recording's own metadata, which may name a place or a person. */
async function writeHead({
  video,
  sound,
}: {
  video: InputVideoTrack
  sound: InputAudioTrack | null
}) {
  const parts: Uint8Array[] = []
  const keep = (data: Uint8Array) => void parts.push(data.slice())
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'fragmented', onFtyp: keep, onMoov: keep }),
    target: new NullTarget(),
  })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures, { rotation: await video.getRotation() })
  const sounds = sound && new EncodedAudioPacketSource('aac')
  if (sounds) output.addAudioTrack(sounds)
  await output.start()
  await addFirst(pictures, video)
  if (sounds && sound) await addFirst(sounds, sound)
  await output.finalize()
  const [ftyp, moov] = parts
  if (!ftyp || !moov) throw new Error('The head was not written.')
  return { head: Buffer.concat([ftyp, moov]), tracks: readTracks(Buffer.from(moov)) }
}

async function addFirst(
  target: EncodedVideoPacketSource | EncodedAudioPacketSource,
  track: InputVideoTrack | InputAudioTrack,
): Promise<void> {
  const packet = await new EncodedPacketSink(track).getFirstPacket()
  const decoderConfig = await track.getDecoderConfig()
  if (!packet || !decoderConfig) throw new Error('A track is empty.')
  await target.add(packet.clone({ timestamp: 0 }), { decoderConfig } as never)
  target.close()
}
