import {
  type AudioSample,
  AudioSampleSink,
  HLS,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MP4,
  UrlSource,
  type UrlSourceOptions,
} from 'mediabunny'
import { MIX_RATE, type Stereo } from '#shared/sound-mix.ts'
import { createResampler, type Placed } from '#shared/sound-resample.ts'

/** Decoders need what precedes. */
const LEAD_IN_SECONDS = 0.1
/** Forward, this much is decoded rather than sought. */
const SKIP_SECONDS = 2
/** Kept behind what was read last. */
const KEPT_SAMPLES = 6 * MIX_RATE
const SOUND_PLAYLIST = /^#EXT-X-MEDIA:TYPE=AUDIO.*URI="([^"]+)"/gm
const RETRIES = 4
const RETRYING: UrlSourceOptions = {
  getRetryDelay: (attempts) => (attempts < RETRIES ? 0.5 * 2 ** attempts : null),
}

export type TrackSound = {
  /** Silence outside the track; undefined once `isStale`. */
  read: (from: number, count: number, isStale: () => boolean) => Promise<Stereo | undefined>
}

export type OpenedTracks = { tracks: TrackSound[]; close: () => void }

/** The stream has fewer tracks, or this browser does not decode them. */
export class CannotMixError extends Error {}

/**
 * The recorded tracks, which are the last ones of a stream.
 * @throws CannotMixError, and errors of the network
 */
export async function openTracks(hlsUrl: string, count: number): Promise<OpenedTracks> {
  const master = new URL(hlsUrl, location.href)
  const playlists = [...(await readText(master)).matchAll(SOUND_PLAYLIST)].slice(-count)
  if (playlists.length < count) throw new CannotMixError()
  const inputs: Input[] = []
  const open = (url: URL, formats: InputFormat[]) => {
    const input = new Input({ source: new UrlSource(url, RETRYING), formats })
    inputs.push(input)
    return input
  }
  const close = () => {
    for (const input of inputs) input.dispose()
  }
  try {
    const tracks = playlists.map(async ([, name = '']) => {
      const url = new URL(name, master)
      const track = await open(url, [HLS, MP4]).getPrimaryAudioTrack()
      if (!track || !(await track.canDecode())) throw new CannotMixError()
      const file = /URI="([^"]+)"/.exec(await readText(url))?.[1] ?? ''
      // The times of a playlist begin at 0, whenever its first packet is heard.
      const startSeconds = await open(new URL(file, url), [MP4]).getFirstTimestamp()
      return createTrackSound(track, { startSeconds, rate: await track.getSampleRate() })
    })
    return { tracks: await Promise.all(tracks), close }
  } catch (error) {
    close()
    throw error
  }
}

async function readText(url: URL): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${answer.status} for ${url.pathname}`)
  return answer.text()
}

function createTrackSound(
  track: InputAudioTrack,
  { startSeconds, rate }: { startSeconds: number; rate: number },
): TrackSound {
  const sink = new AudioSampleSink(track)
  let samples: AsyncGenerator<AudioSample, void, unknown> | undefined
  let place = createResampler(rate)
  let kept: Placed[] = []
  let [start, end] = [0, 0]
  let isOver = false
  let queue: Promise<unknown> = Promise.resolve()

  async function seek(from: number): Promise<void> {
    await samples?.return().catch(() => undefined)
    const seconds = Math.max(startSeconds, from / MIX_RATE - LEAD_IN_SECONDS)
    samples = sink.samples(seconds - startSeconds)
    place = createResampler(rate)
    kept = []
    isOver = false
    start = from
    end = Math.min(from, Math.round(seconds * MIX_RATE))
  }

  async function decode(): Promise<void> {
    const result = await samples?.next()
    if (!result || result.done) {
      isOver = true
      return
    }
    const run = place(readSample(result.value, startSeconds))
    result.value.close()
    if (run.sound[0].length === 0) return
    kept.push(run)
    end = run.start + run.sound[0].length
  }

  async function read(from: number, count: number, isStale: () => boolean) {
    const isAway = from < start || from > end + SKIP_SECONDS * MIX_RATE
    if (!samples || isAway) await seek(Math.max(0, from))
    while (!isOver && end < from + count) {
      await decode()
      if (isStale()) return undefined
    }
    const keptFrom = from - KEPT_SAMPLES
    kept = kept.filter((run) => run.start + run.sound[0].length > keptFrom)
    start = Math.max(start, keptFrom)
    return gather(kept, from, count)
  }
  return {
    read(from, count, isStale) {
      const result = queue.then(() => (isStale() ? undefined : read(from, count, isStale)))
      queue = result.catch(() => undefined)
      return result
    },
  }
}

/** Positions are in samples of its own rate. */
function readSample(sample: AudioSample, startSeconds: number): Placed {
  const { numberOfFrames, numberOfChannels, timestamp, sampleRate } = sample
  const read = (planeIndex: number) => {
    const values = new Float32Array(numberOfFrames)
    sample.copyTo(values, { planeIndex, format: 'f32-planar' })
    return values
  }
  const left = read(0)
  const right = numberOfChannels > 1 ? read(1) : left
  return { start: Math.round((timestamp + startSeconds) * sampleRate), sound: [left, right] }
}

function gather(runs: readonly Placed[], from: number, count: number): Stereo {
  const result: Stereo = [new Float32Array(count), new Float32Array(count)]
  for (const { start, sound } of runs) {
    // Decoders begin before the sound.
    const skipped = Math.max(0, Math.max(0, from) - start)
    const at = start + skipped - from
    if (at >= count) continue
    for (const [channel, values] of result.entries()) {
      values.set(sound[channel]?.subarray(skipped, skipped + count - at) ?? [], at)
    }
  }
  return result
}
