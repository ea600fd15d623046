import { AV_FRAME_FLAG_CORRUPT, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants'
import type { Packet } from 'node-av/lib'
import { soundFrameSize, soundRate } from '../encode/encoder.ts'
import { findSoundShift, readSoundLines, shiftReach, shiftWindow } from '../sound/sound-shift.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { seekSource } from '../source/seek.ts'
import { closeDecoder, openDecoder, type StreamDecoder } from '../source/stream-decoder.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import { findLowerBound } from './cut-parts.ts'

/** On each side of a joint. */
const aroundSeconds = 2
/** Rounding between clocks. */
const toleranceSeconds = 0.0015
const soundToleranceSeconds = 0.02

type Claim = {
  /** In seconds. */
  times: Float64Array
  endSeconds: number
  joints: readonly number[]
}

/**
 * @returns the defect; null when pictures are complete and on time, joints decode cleanly, and
 * sound has no gap
 */
export async function findFlaw(path: string, claim: Claim): Promise<string | null> {
  const flaw = await readThrough(path, claim)
  if (flaw !== null) return flaw
  for (const window of makeWindows(claim.joints)) {
    const found = await decodeWindow(path, window, claim.times)
    if (found !== null) return found
  }
  return null
}

async function readThrough(path: string, claim: Claim): Promise<string | null> {
  const source = await openSource(path)
  const { video, audio, offsetSeconds } = source
  const ends = new Map(audio.map((stream) => [stream.index, 0]))
  const times = new Float64Array(claim.times.length)
  let count = 0
  let flaw: string | null = null
  await readPackets(source, (packet) => {
    const stream = source.input.streams[packet.streamIndex]
    if (!stream || !isTimestamp(packet.pts)) return
    const seconds = toSeconds(packet.pts, stream.timeBase) - offsetSeconds
    if (packet.streamIndex === video.index) {
      times[count] = seconds
      count += 1
    }
    const end = ends.get(packet.streamIndex)
    if (end === undefined) return
    if (Math.abs(seconds - end) > soundToleranceSeconds / 2) flaw = `The sound skips at ${seconds}.`
    const length = toSeconds(packet.duration, stream.timeBase) || soundFrameSize / soundRate
    ends.set(packet.streamIndex, seconds + length)
    return flaw === null
  })
  closeSource(source)
  if (flaw !== null) return flaw
  const uneven = [...ends.values()].find(
    (end) => Math.abs(end - claim.endSeconds) > soundToleranceSeconds,
  )
  if (uneven !== undefined) return `The sound ends at ${uneven} instead of ${claim.endSeconds}.`
  if (count !== times.length) return describeCount(count, times.length)
  return compareTimes(times.sort(), claim.times)
}

type Kept = {
  sourcePath: string
  firstSound?: number | undefined
  parts: readonly { fromSeconds: number; toSeconds: number }[]
}

/** Similarity of the same sound; half of it is another sound. */
const leastLikeness = 0.8

/**
 * Compares start and end of each part. Repetitive sound passes if it matches in place.
 * @returns what is over 20 ms off; null if nothing
 */
export async function findSoundFlaw(
  path: string,
  { sourcePath, firstSound, parts }: Kept,
): Promise<string | null> {
  const source = await openSource(sourcePath)
  const { offsetSeconds, audio } = source
  closeSource(source)
  let output = 0
  for (const { fromSeconds, toSeconds: endSeconds } of audio.length > 0 ? parts : []) {
    const last = Math.max(fromSeconds, endSeconds - shiftWindow)
    for (const at of new Set([fromSeconds, last])) {
      const places = { source: at, result: output + at - fromSeconds }
      const flaw = await compareSounds({ path, sourcePath, firstSound, offsetSeconds, places })
      if (flaw !== null) return flaw
    }
    output += endSeconds - fromSeconds
  }
  return null
}

async function compareSounds(input: {
  path: string
  sourcePath: string
  firstSound: number | undefined
  offsetSeconds: number
  places: { source: number; result: number }
}): Promise<string | null> {
  const { places, offsetSeconds } = input
  const own = await readSoundLines(input.sourcePath, {
    fromSeconds: places.source,
    untilSeconds: places.source + shiftWindow,
    startSeconds: offsetSeconds,
    firstSound: input.firstSound,
  })
  const made = await readSoundLines(input.path, {
    fromSeconds: places.result - shiftReach,
    untilSeconds: places.result + shiftWindow + shiftReach,
    startSeconds: 0,
  })
  for (const [track, line] of made.entries()) {
    const beside = own[track]
    if (!line || !beside) continue
    const lines = { source: beside, result: line }
    const heard = findSoundShift(lines, places, soundToleranceSeconds)
    if (!heard || heard.likeness < leastLikeness) continue
    if (heard.likenessInPlace >= heard.likeness / 2) continue
    return `The sound at ${places.result} is ${heard.seconds} s late in track ${track + 1}.`
  }
  return null
}

type Window = { from: number; until: number }

function makeWindows(joints: readonly number[]): Window[] {
  const windows: Window[] = []
  for (const joint of joints) {
    const last = windows.at(-1)
    const until = joint + aroundSeconds
    if (last && joint - aroundSeconds <= last.until) last.until = until
    else windows.push({ from: joint - aroundSeconds, until })
  }
  return windows
}

async function decodeWindow(
  path: string,
  { from, until }: Window,
  times: Float64Array,
): Promise<string | null> {
  const source = await openSource(path)
  const { video, offsetSeconds } = source
  const decoder = openDecoder(video)
  if (!decoder) return 'The picture cannot be decoded.'
  const decoded: number[] = []
  let flaw: string | null = null
  const decode = (packet: Packet | null) => {
    flaw = decodeStrictly(decoder, packet, (time) =>
      decoded.push(toSeconds(time, video.timeBase) - offsetSeconds),
    )
  }
  seekSource(source, Math.max(0, from) + offsetSeconds)
  await readPackets(source, (packet) => {
    if (packet.streamIndex !== video.index) return
    decode(packet)
    return flaw === null && toSeconds(packet.dts, video.timeBase) - offsetSeconds < until
  })
  if (flaw === null) decode(null)
  closeDecoder(decoder)
  closeSource(source)
  if (flaw !== null) return flaw
  const between = (all: Float64Array) =>
    all.subarray(
      findLowerBound(all, Math.max(from, 0) - toleranceSeconds),
      findLowerBound(all, until - toleranceSeconds),
    )
  return compareTimes(between(new Float64Array(decoded)), between(times))
}

function decodeStrictly(
  { context, frame }: StreamDecoder,
  packet: Packet | null,
  onTime: (time: bigint) => void,
): string | null {
  const sent = context.sendPacketSync(packet)
  if (sent < 0 && sent !== AVERROR_EOF) return `A packet is refused (${sent}).`
  for (;;) {
    const code = context.receiveFrameSync(frame)
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return null
    if (code < 0) return `A picture cannot be decoded (${code}).`
    const time = frame.bestEffortTimestamp
    const isWhole = frame.decodeErrorFlags === 0 && (frame.flags & AV_FRAME_FLAG_CORRUPT) === 0
    frame.unref()
    if (!isWhole) return `The picture at ${time} is damaged.`
    onTime(time)
  }
}

function describeCount(found: number, wanted: number): string {
  return `${found} pictures are there instead of ${wanted}.`
}

function compareTimes(found: Float64Array, wanted: Float64Array): string | null {
  if (found.length !== wanted.length) return describeCount(found.length, wanted.length)
  const at = found.findIndex(
    (time, index) => Math.abs(time - (wanted[index] ?? 0)) > toleranceSeconds,
  )
  return at < 0 ? null : `A picture is shown at ${found[at]} instead of ${wanted[at]}.`
}
