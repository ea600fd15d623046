import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AVDISCARD_ALL } from 'node-av/constants'
import { limitBitRate } from '../encode/bit-rates.ts'
import { openPictureEncoder } from '../encode/encoder.ts'
import { chooseQuality, type RenditionSize } from '../encode/rendition-size.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import { openRendition, pushPicture } from '../package/hls-rendition.ts'
import { addEncodedTrack, beginMp4, deliverTo, openMp4 } from '../package/mp4-output.ts'
import { copyStream } from '../package/stream-copy.ts'
import { makePictureTranscoder, type PictureTarget } from '../picture/picture-transcoder.ts'
import {
  closeSource,
  openSource,
  type PacketSink,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { storedSize } from '../source/picture.ts'
import type { SideFeed } from '../source/side-feed.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import { progressiveFileName, renditionFileName } from './ladder-files.ts'
import { deliverToAll, type LadderOutputs, type LadderSounds } from './ladder-parts.ts'
import type { LadderPlan } from './ladder-plan.ts'
import { connectSounds, joinedTrack } from './ladder-sound.ts'
import type { LadderTask, Report } from './media-task.ts'

export type LadderWork = {
  task: LadderTask
  plan: LadderPlan
  feed: SideFeed
  sounds: LadderSounds
  outputs: LadderOutputs
  report: Report
}

/** Also makes a missing progressive file. */
export async function makeSteps(work: LadderWork): Promise<void> {
  const { task, plan, feed, outputs } = work
  const reportFrom = (seconds: number) => reportSeconds(work, seconds, 1)
  if (plan.needsProgressive) {
    const path = join(task.outputFolder, progressiveFileName)
    outputs.progressive = openMp4(path, { kind: 'rewrite' }, plan.durationSeconds)
  }
  const targets = openSteps(work, plan.sizes)
  const isOneFile = task.sourcePath === task.playablePath
  // One reader, one index in memory.
  if (targets.length > 0 && isOneFile) {
    feed.connect(feed.source.video.index, pictureSink(feed.source, plan, targets))
  }
  connectSounds(task, work)
  if (outputs.progressive) beginMp4(outputs.progressive)
  if (targets.length > 0 && !isOneFile) {
    await decodeAll(await openSource(task.sourcePath), work, {
      targets,
      async onSeconds(seconds) {
        await feed.advanceTo(seconds)
        reportFrom(seconds)
      },
    })
  }
  await feed.finish(reportFrom)
}

/** Progress when sounds begin, and pictures after them. */
const soundPercent = 2
const picturePercent = 8

/**
 * Sounds and copied renditions first, then the encoded ones; no progressive file.
 * @param copyPath copy of the source's picture, deleted at the end; null to read the source
 */
export async function makePicturesLast(work: LadderWork, copyPath: string | null): Promise<void> {
  const { task, plan, feed, outputs, report } = work
  const isCopied = (size: RenditionSize) => size === plan.copied
  openSteps(work, plan.sizes.filter(isCopied))
  connectSounds(task, work)
  await feed.finish((seconds) => {
    const fraction = Math.min(1, seconds / Math.max(plan.durationSeconds, 0.1))
    report(soundPercent + (picturePercent - soundPercent) * fraction, { stage: 'reading' })
  })
  const targets = openSteps(
    work,
    plan.sizes.filter((size) => !isCopied(size)),
  )
  const source = copyPath
    ? { ...(await openSource(copyPath)), offsetSeconds: 0 }
    : await openSource(task.sourcePath)
  const onSeconds = (seconds: number) => reportSeconds(work, seconds, picturePercent)
  await decodeAll(source, work, { targets, onSeconds })
  outputs.renditions.sort((one, other) => other.size.name - one.size.name)
  if (copyPath) await rm(copyPath)
}

function openSteps(work: LadderWork, sizes: readonly RenditionSize[]): PictureTarget[] {
  const { task, plan, feed, sounds, outputs } = work
  const [largest] = plan.sizes
  const targets: PictureTarget[] = []
  for (const size of sizes) {
    const path = join(task.outputFolder, renditionFileName(size))
    const shared = { sound: joinedTrack(sounds, plan), starts: plan.starts }
    if (size === plan.copied) {
      const { video, offsetSeconds } = feed.source
      const rendition = openRendition(path, { ...shared, picture: { copied: video } })
      outputs.renditions.push({ size, rendition })
      const deliver = pushPicture.bind(null, rendition)
      feed.connect(video.index, copyStream(video, { offsetSeconds, deliver }))
      continue
    }
    const encoder = openPictureEncoder({
      size,
      frameRate: plan.outputFrameRate,
      maxBitRate: limitBitRate(size, { ...plan, frameRate: plan.outputFrameRate }),
      quality: chooseQuality(size),
      durationSeconds: plan.durationSeconds,
      source: storedSize(plan.picture),
      ...(task.encoder && { encoder: task.encoder }),
    })
    const rendition = openRendition(path, { ...shared, picture: { encoder: encoder.context } })
    outputs.renditions.push({ size, rendition })
    const takers = [pushPicture.bind(null, rendition)]
    if (outputs.progressive && size === largest) {
      const track = addEncodedTrack(outputs.progressive, encoder.context)
      takers.push(deliverTo(outputs.progressive, track, { interleaved: true }))
    }
    targets.push({ size, encoder, deliver: deliverToAll(takers) })
  }
  return targets
}

function pictureSink(source: Source, plan: LadderPlan, targets: PictureTarget[]): PacketSink {
  return makePictureTranscoder(source, {
    picture: plan.picture,
    frameRate: plan.frameRate,
    endSeconds: plan.pictureEndSeconds,
    targets,
    clock: makeSegmentClock(plan.starts),
  })
}

type Decoding = {
  targets: PictureTarget[]
  /** With the decoding time, before each picture is decoded. */
  onSeconds: (seconds: number) => Promise<void> | void
}

async function decodeAll(
  source: Source,
  { plan }: LadderWork,
  { targets, onSeconds }: Decoding,
): Promise<void> {
  for (const stream of source.audio) stream.discard = AVDISCARD_ALL
  const { video, offsetSeconds } = source
  const sink = pictureSink(source, plan, targets)
  await readPackets(source, async (packet) => {
    if (packet.streamIndex !== video.index) return undefined
    const time = decodingTime(packet)
    await onSeconds(isTimestamp(time) ? toSeconds(time, video.timeBase) - offsetSeconds : 0)
    return sink.push(packet)
  })
  await sink.finish()
  closeSource(source)
}

function reportSeconds({ plan, report }: LadderWork, seconds: number, from: number): void {
  const percent = from + (seconds / Math.max(plan.durationSeconds, 0.1)) * (93 - from)
  report(Math.min(percent, 93), { stage: 'encoding', doneSeconds: Math.max(0, seconds) })
}
