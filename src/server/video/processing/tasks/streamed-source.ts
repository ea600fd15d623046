import { rm } from 'node:fs/promises'
import { AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO } from 'node-av/constants'
import type { Packet } from 'node-av/lib'
import { damagedVideo } from '../media-errors.ts'
import {
  abandonMatroska,
  addMatroskaTrack,
  beginMatroska,
  finishMatroska,
  type MatroskaOutput,
  openMatroska,
  writeMatroska,
} from '../package/matroska-output.ts'
import { fillPictureTimes } from '../package/untimed-pictures.ts'
import { detectContainer, isStreamed } from '../source/container.ts'
import {
  closeSource,
  openSource,
  playbackOffset,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { roundToMs } from '../source/packet-tally.ts'
import { joinRanges, makeStreamClocks, type StreamClocks } from '../source/stream-clock.ts'
import { isTimestamp, shiftPacket, toSeconds, toTimestamp } from '../timestamps.ts'
import { isKeptAsPcm, pcmTrack } from './pcm-track.ts'

/** A longer gap was not recorded; other containers count from their start. */
const longestGapSeconds = 10

/** Decoding never precedes showing by more. */
const mostAheadSeconds = 4

/** Seconds of the file after its clocks are joined. */
type Scan = {
  /** Per range; null drops its packets. */
  shifts: (number | null)[]
  streams: Set<number>
  hasKeyFrames: boolean
}

type PlacedPacket = (packet: Packet, at: { shiftSeconds: number | null }) => void

export async function copyStreamed(sourcePath: string, outputPath: string): Promise<boolean> {
  const { container } = await detectContainer(sourcePath)
  if (isStreamed(container)) await copyToMatroska(sourcePath, outputPath)
  return isStreamed(container)
}

/**
 * One clock from 0, with an index.
 * @throws UnplayableSourceError for anything but a video; `no-space`
 */
async function copyToMatroska(sourcePath: string, outputPath: string): Promise<void> {
  const scan = await scanSource(sourcePath)
  const source = await openSource(sourcePath)
  const output = openMatroska(outputPath)
  try {
    const sinks = openSinks(source, output, scan)
    beginMatroska(output)
    await readPlaced(source, scan.shifts, (packet, { shiftSeconds }) => {
      if (shiftSeconds !== null) sinks.get(packet.streamIndex)?.push(packet, shiftSeconds)
    })
    for (const sink of sinks.values()) sink.finish()
  } catch (error) {
    abandonMatroska(output)
    await rm(outputPath, { force: true })
    throw error
  } finally {
    closeSource(source)
  }
  await finishMatroska(output)
}

export async function listStreamedKeyFrames(sourcePath: string) {
  const scan = await scanSource(sourcePath)
  const source = await openSource(sourcePath)
  const { video, offsetSeconds } = source
  const keyFrameSeconds: number[] = []
  let [start, end, pictures] = [Number.POSITIVE_INFINITY, 0, 0]
  await readPlaced(source, scan.shifts, (packet, { shiftSeconds }) => {
    const stream = source.input.streams[packet.streamIndex]
    const time = isTimestamp(packet.pts) ? packet.pts : packet.dts
    if (shiftSeconds === null || !stream || !isTimestamp(time)) return
    const seconds = toSeconds(time, stream.timeBase) + shiftSeconds
    const isKey = (packet.flags & AV_PKT_FLAG_KEY) !== 0
    if (stream.index === video.index) {
      if (keyFrameSeconds.length === 0 && !isKey && scan.hasKeyFrames) return
      pictures += 1
      if (isKey) keyFrameSeconds.push(seconds)
    }
    start = Math.min(start, seconds)
    end = Math.max(end, seconds + toSeconds(packet.duration, stream.timeBase))
  })
  const { avgFrameRate } = video
  closeSource(source)
  const rate = end > start ? pictures / (end - start) : 0
  const offset = offsetSeconds + playbackOffset(start - offsetSeconds)
  return {
    durationSeconds: roundToMs(Math.max(0, end - offset)),
    frameRate: roundToMs(avgFrameRate.num > 0 ? avgFrameRate.toDouble() : rate),
    keyFrameSeconds: keyFrameSeconds.map((seconds) => roundToMs(seconds - offset)),
  }
}

async function scanSource(path: string): Promise<Scan> {
  const source = await openSource(path)
  const clocks = makeStreamClocks()
  const streams = new Set<number>()
  const picture = source.video.index
  let hasKeyFrames = false
  await readPackets(source, (packet) => {
    notePacket(clocks, source, packet)
    streams.add(packet.streamIndex)
    hasKeyFrames ||= packet.streamIndex === picture && (packet.flags & AV_PKT_FLAG_KEY) !== 0
  })
  closeSource(source)
  if (!streams.has(picture)) throw damagedVideo()
  const { container } = source
  const isBroadcast = container === 'mpegts' || container === 'mpegps'
  const longestGap = isBroadcast ? longestGapSeconds : Number.POSITIVE_INFINITY
  return { shifts: joinRanges(clocks.ranges, longestGap), streams, hasKeyFrames }
}

function notePacket(clocks: StreamClocks, { input }: Source, packet: Packet): number {
  const base = input.streams[packet.streamIndex]?.timeBase ?? { num: 1, den: 1 }
  const ahead = isTimestamp(packet.pts) && isTimestamp(packet.dts) ? packet.pts - packet.dts : 0n
  if (Math.abs(toSeconds(ahead, base)) > mostAheadSeconds) packet.pts = packet.dts
  const inSeconds = (time: bigint) => (isTimestamp(time) ? toSeconds(time, base) : null)
  return clocks.note({
    stream: packet.streamIndex,
    decodedSeconds: inSeconds(packet.dts),
    shownSeconds: inSeconds(packet.pts),
    durationSeconds: toSeconds(packet.duration, base),
  })
}

async function readPlaced(source: Source, shifts: Scan['shifts'], onPacket: PlacedPacket) {
  const clocks = makeStreamClocks()
  await readPackets(source, (packet) => {
    const shiftSeconds = shifts[notePacket(clocks, source, packet)] ?? null
    // An empty picture repeats the one before.
    if (packet.size > 0) onPacket(packet, { shiftSeconds })
  })
}

type Sink = { push: (packet: Packet, shiftSeconds: number) => void; finish: () => void }

function openSinks(source: Source, output: MatroskaOutput, scan: Scan): Map<number, Sink> {
  const { video, audio, offsetSeconds } = source
  const sinks = new Map<number, Sink>()
  for (const stream of [video, ...audio]) {
    if (!scan.streams.has(stream.index)) continue
    const { timeBase: base } = stream
    const track = isKeptAsPcm(stream) ? pcmTrack(output, stream) : copiedTrack(output, stream)
    let isWaiting = stream.index === video.index && scan.hasKeyFrames
    sinks.set(stream.index, {
      push(packet, shiftSeconds) {
        isWaiting &&= (packet.flags & AV_PKT_FLAG_KEY) === 0
        if (isWaiting) return
        shiftPacket(packet, toTimestamp(offsetSeconds - shiftSeconds, base))
        track.push(packet)
      },
      finish: track.finish,
    })
  }
  return sinks
}

function copiedTrack(output: MatroskaOutput, stream: Source['video']) {
  const track = addMatroskaTrack(output, stream)
  const { timeBase: base } = stream
  const write = (packet: Packet) => writeMatroska(output, track, { packet, base })
  const isPicture = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO
  return isPicture ? fillPictureTimes(stream, write) : { push: write, finish: () => {} }
}
