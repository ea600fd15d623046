import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stream } from 'node-av/lib'
import { plainMix } from '#shared/sound-mix.ts'
import { MIX_NAME } from '#shared/sound-tracks.ts'
import { WAVEFORM_FILE } from '#shared/waveform.ts'
import {
  closeEncoder,
  type Deliver,
  type Encoder,
  encodeFrame,
  openSoundEncoder,
  soundFrameSize,
  soundRate,
} from '../encode/encoder.ts'
import { readSoundCodec, writeMixedPlaylist } from '../package/hls-playlist.ts'
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
import {
  abandonSoundRendition,
  finishSoundRendition,
  openSoundRendition,
  pushToSoundRendition,
  type SoundRendition,
} from '../package/sound-rendition.ts'
import { copyStream } from '../package/stream-copy.ts'
import { makeLoudnessMeter } from '../sound/loudness.ts'
import { makeFramer, mixTracks } from '../sound/mix-tracks.ts'
import { countOf, type Samples, toFrame } from '../sound/sound-joiner.ts'
import { makeWaveformMeter } from '../sound/waveform.ts'
import {
  closeSource,
  expectSeconds,
  openSource,
  type PacketSink,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { joinSinks } from '../source/side-feed.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import {
  masterFileName,
  measureFiles,
  type NamedFile,
  progressiveFileName,
  soundFileName,
  soundPlaylistFileName,
  soundRenditionFileName,
  writePlaylist,
} from './ladder-files.ts'
import { deliverToAll } from './ladder-parts.ts'
import type { MixResult, MixTask, Report } from './media-task.ts'
import { isShareable, renewShareSound, shareFileName } from './share-file.ts'

const mixBitRate = 160_000

type Outputs = {
  video: Mp4Output
  firstTrack: Mp4Output | null
  stream: SoundRendition | null
}

/** See docs/decisions/0094-the-mixer.md. */
export async function mixSoundOf(task: MixTask, report: Report): Promise<MixResult> {
  const { outputFolder, playablePath, mix } = task
  const source = await openSource(playablePath)
  const path = join(outputFolder, progressiveFileName)
  const video = openMp4(path, { kind: 'rewrite' }, expectSeconds(source))
  const outputs: Outputs = { video, firstTrack: null, stream: null }
  const meters = { loudness: makeLoudnessMeter(), waveform: makeWaveformMeter() }
  let seconds = 0
  try {
    const sinks = new Map([[source.video.index, copyTo([video], source, source.video)]])
    const encode = mix ? openMix(task, outputs) : null
    for (const [index, stream] of recordedTracks(source, task).entries()) {
      sinks.set(stream.index, copyTo(targetsOf(task, outputs, index), source, stream))
    }
    for (const one of [video, outputs.firstTrack]) if (one) beginMp4(one)
    const feed = openMixFeed(task, { meters: Object.values(meters), encode })
    await copyAll(source, { sinks, feed, report })
    seconds = feed.seconds()
    if (outputs.stream) await finishSoundRendition(outputs.stream)
    for (const one of [video, outputs.firstTrack]) if (one) await finishMp4(one)
  } catch (error) {
    for (const one of [video, outputs.firstTrack]) if (one) abandonMp4(one)
    if (outputs.stream) abandonSoundRendition(outputs.stream)
    throw error
  }
  report(96, { stage: 'sharing' })
  const share = await chooseShare(task, { path, seconds })
  await writeFile(join(outputFolder, WAVEFORM_FILE), meters.waveform.finish())
  const streamFiles = await writeStream(task, outputs)
  const firstTrackFile = outputs.firstTrack ? soundFileName(1) : null
  const files: NamedFile[] = [
    { name: progressiveFileName, kind: 'video' },
    ...streamFiles,
    ...(firstTrackFile ? [{ name: firstTrackFile, kind: 'sound' } as const] : []),
    { name: WAVEFORM_FILE, kind: 'storyboard' },
    ...(share === 'file' ? [{ name: shareFileName, kind: 'share' } as const] : []),
  ]
  return {
    videoFile: progressiveFileName,
    masterFile: masterFileName,
    firstTrackFile,
    share,
    loudnessLufs: meters.loudness.finish().integrated,
    files: await measureFiles(outputFolder, files),
  }
}

function recordedTracks({ audio }: Source, { hasMix }: MixTask): Stream[] {
  return hasMix ? audio.slice(1) : audio
}

/** Before the recorded tracks: players begin with the first sound. */
function openMix({ outputFolder }: MixTask, outputs: Outputs) {
  const encoder = openSoundEncoder(mixBitRate)
  const track = addEncodedTrack(outputs.video, encoder.context)
  const path = join(outputFolder, soundRenditionFileName(0))
  const sound = { encoder: encoder.context }
  outputs.stream = openSoundRendition(path, { sound, starts: null })
  const deliver = deliverToAll([
    deliverTo(outputs.video, track, { interleaved: true }),
    pushToSoundRendition.bind(null, outputs.stream),
  ])
  return { encoder, deliver }
}

/** The first track gets a file of its own once it is no longer the first sound. */
function targetsOf(
  { mix, hasMix, outputFolder }: MixTask,
  outputs: Outputs,
  index: number,
): Mp4Output[] {
  if (index > 0 || hasMix || !mix) return [outputs.video]
  const path = join(outputFolder, soundFileName(1))
  outputs.firstTrack = openMp4(path, { kind: 'rewrite' }, outputs.video.seconds)
  return [outputs.video, outputs.firstTrack]
}

function copyTo(outputs: Mp4Output[], { offsetSeconds }: Source, stream: Stream): PacketSink {
  return joinSinks(
    outputs.map((output) => {
      const deliver = deliverTo(output, addCopiedTrack(output, stream), { interleaved: true })
      return copyStream(stream, { offsetSeconds, deliver })
    }),
  )
}

type Feed = {
  advanceTo: (seconds: number) => Promise<void>
  finish: () => Promise<void>
  seconds: () => number
}

function openMixFeed(
  { mix, trackPaths }: MixTask,
  use: {
    meters: { push: (frame: ReturnType<typeof toFrame>) => void }[]
    encode: { encoder: Encoder; deliver: Deliver } | null
  },
): Feed {
  const ranges = mixTracks(trackPaths, mix ?? plainMix([1], new Set()))
  let samples = 0
  let isOver = false
  const framer = makeFramer(soundFrameSize, (part: Samples) => {
    const frame = toFrame(part, samples)
    samples += countOf(part)
    for (const meter of use.meters) meter.push(frame)
    if (use.encode) encodeFrame(use.encode.encoder, frame, use.encode.deliver)
    frame.free()
  })
  const next = async () => {
    const { value, done } = await ranges.next()
    isOver = done === true
    if (value) framer.push(value)
  }
  return {
    seconds: () => samples / soundRate,
    async advanceTo(seconds) {
      while (!isOver && samples / soundRate < seconds) await next()
    },
    async finish() {
      while (!isOver) await next()
      framer.finish()
      if (!use.encode) return
      encodeFrame(use.encode.encoder, null, use.encode.deliver)
      closeEncoder(use.encode.encoder)
    },
  }
}

async function copyAll(
  source: Source,
  { sinks, feed, report }: { sinks: Map<number, PacketSink>; feed: Feed; report: Report },
): Promise<void> {
  const { video, sizeBytes, offsetSeconds } = source
  await readPackets(source, async (packet) => {
    report((Number(packet.pos) / sizeBytes) * 95, {
      stage: 'encoding',
      doneSeconds: feed.seconds(),
    })
    const time = decodingTime(packet)
    if (packet.streamIndex === video.index && isTimestamp(time)) {
      await feed.advanceTo(toSeconds(time, video.timeBase) - offsetSeconds)
    }
    return sinks.get(packet.streamIndex)?.push(packet)
  })
  await feed.finish()
  for (const sink of sinks.values()) await sink.finish()
  closeSource(source)
}

async function chooseShare(
  { outputFolder, sharePath, shareBytesMax: maxBytes }: MixTask,
  { path, seconds }: { path: string; seconds: number },
): Promise<MixResult['share']> {
  if (sharePath === null) return null
  const source = await openSource(path)
  const shortSide = Math.min(source.video.codecpar.width, source.video.codecpar.height)
  closeSource(source)
  if (await isShareable(path, { shortSide, maxBytes })) return 'best'
  const isMade = await renewShareSound(outputFolder, {
    ...{ sharePath, soundPath: path, seconds, maxBytes },
  })
  return isMade ? 'file' : null
}

async function writeStream(
  { outputFolder, masterPath }: MixTask,
  { stream }: Outputs,
): Promise<NamedFile[]> {
  const master = await readFile(masterPath, 'utf8')
  const playlist = soundPlaylistFileName(0)
  const write = async (mix: Parameters<typeof writeMixedPlaylist>[1]) =>
    writeFile(join(outputFolder, masterFileName), writeMixedPlaylist(master, mix))
  if (!stream) {
    await write(null)
    return [{ name: masterFileName, kind: 'playlist' }]
  }
  const file = soundRenditionFileName(0)
  const { head } = await writePlaylist(outputFolder, { file, playlist, ...stream })
  if (!readSoundCodec(head)) throw new Error('The mix holds no AAC.')
  await write({ name: MIX_NAME, language: null, channels: 2, playlist })
  return [
    { name: masterFileName, kind: 'playlist' },
    { name: file, kind: 'sound' },
    { name: playlist, kind: 'playlist' },
  ]
}
