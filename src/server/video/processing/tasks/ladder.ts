import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AVDISCARD_ALL } from 'node-av/constants'
import { limitBitRate } from '../encode/bit-rates.ts'
import { openPictureEncoder } from '../encode/encoder.ts'
import { chooseQuality } from '../encode/rung.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import {
  abandonRendition,
  finishRendition,
  openRendition,
  pushPicture,
} from '../package/hls-rendition.ts'
import {
  abandonMp4,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  openMp4,
} from '../package/mp4-output.ts'
import { abandonSoundRendition, finishSoundRendition } from '../package/sound-rendition.ts'
import { copyStream } from '../package/stream-copy.ts'
import { makePictureTranscoder, type PictureTarget } from '../picture/picture-transcoder.ts'
import {
  closeSource,
  openSource,
  type PacketSink,
  readPackets,
  type Source,
} from '../source/open-source.ts'
import { roundToMs } from '../source/packet-tally.ts'
import { openSideFeed, type SideFeed } from '../source/side-feed.ts'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import { makeExtras } from './ladder-extras.ts'
import {
  describeLadder,
  masterFileName,
  measureFiles,
  progressiveFileName,
  renditionFileName,
} from './ladder-files.ts'
import { gatherMoments } from './ladder-moments.ts'
import type { LadderOutputs } from './ladder-parts.ts'
import { deliverToAll, type LadderSounds } from './ladder-parts.ts'
import { type LadderPlan, planLadder } from './ladder-plan.ts'
import { connectSounds, joinedTrack, planSounds } from './ladder-sound.ts'
import { indexedCopyPath, type LadderResult, type LadderTask, type Report } from './media-task.ts'
import { copyPicture } from './picture-copy.ts'

type Work = {
  task: LadderTask
  plan: LadderPlan
  feed: SideFeed
  sounds: LadderSounds
  outputs: LadderOutputs
  /** Of the source's picture; null where that is read itself. */
  copyPath: string | null
}

/**
 * Makes the adaptive stream of a video: the picture is decoded once for all steps, the step that is
 * there already is copied, and the sound, which comes from the file that plays already, is the same in all. Several sound
 * tracks lie beside the steps instead.
 */
export async function makeLadder(task: LadderTask, report: Report): Promise<LadderResult> {
  const plan = await planLadder(task)
  report(1, { stage: 'reading' })
  const copyPath = plan.needsPictureCopy ? indexedCopyPath(task) : null
  if (copyPath) {
    await copyPicture(task.sourcePath, copyPath, (fraction) => report(1 + fraction))
  }
  const feed = await openSideFeed(task.playablePath)
  const sounds = planSounds(feed.source, plan)
  const outputs: LadderOutputs = {
    renditions: [],
    progressive: null,
    sounds: [],
    soundRenditions: [],
  }
  try {
    const work = { task, plan, feed, sounds, outputs, copyPath }
    const targets = openOutputs(work)
    const isOneFile = task.sourcePath === task.playablePath
    // Its index is in memory once then.
    if (targets.length > 0 && isOneFile) {
      feed.connect(feed.source.video.index, pictureSink(feed.source, plan, targets))
    }
    connectSounds(task, { plan, feed, sounds, outputs })
    if (outputs.progressive) beginMp4(outputs.progressive)
    if (targets.length > 0 && !isOneFile) await decodeAll(work, targets, report)
    await feed.finish((seconds) => reportSeconds(work, seconds, report))
    await closeOutputs(outputs)
    if (copyPath) await rm(copyPath)
  } catch (error) {
    abandonOutputs(outputs)
    throw error
  }
  const facts = await describeLadder(task, { plan, sounds, outputs })
  const extras = await makeExtras(task, { plan, facts, peaks: sounds.waveform.finish(), report })
  const loudness = sounds.loudness.finish()
  const moments = await gatherMoments(task, { plan, loudness, differences: extras.differences })
  const [largest] = facts.renditions
  return {
    durationSeconds: roundToMs(plan.durationSeconds),
    width: largest?.width ?? plan.picture.width,
    height: largest?.height ?? plan.picture.height,
    renditions: facts.renditions,
    soundLanguage: sounds.first?.language ?? null,
    soundTracks: facts.soundTracks,
    soundNames:
      sounds.first && sounds.others.length > 0
        ? [sounds.first, ...sounds.others].map(({ name }) => name)
        : [],
    loudnessLufs: loudness.integrated,
    moments,
    masterFile: masterFileName,
    progressiveFile: outputs.progressive ? progressiveFileName : null,
    share: extras.share,
    storyboardFile: extras.storyboardFile,
    cardFile: extras.cardFile,
    files: await measureFiles(task.outputFolder, [...facts.files, ...extras.files]),
  }
}

/** Opens a file for each step and connects what is copied. @returns what is to be encoded */
function openOutputs({ task, plan, feed, sounds, outputs }: Work): PictureTarget[] {
  const [largest] = plan.rungs
  if (plan.needsProgressive) {
    const path = join(task.outputFolder, progressiveFileName)
    outputs.progressive = openMp4(path, { kind: 'rewrite' }, plan.durationSeconds)
  }
  const targets: PictureTarget[] = []
  for (const rung of plan.rungs) {
    const path = join(task.outputFolder, renditionFileName(rung))
    const shared = { sound: joinedTrack(sounds, plan), starts: plan.starts }
    if (rung === plan.copied) {
      const { video, offsetSeconds } = feed.source
      const rendition = openRendition(path, { ...shared, picture: { copied: video } })
      outputs.renditions.push({ rung, rendition })
      const deliver = pushPicture.bind(null, rendition)
      feed.connect(video.index, copyStream(video, { offsetSeconds, deliver }))
      continue
    }
    const encoder = openPictureEncoder({
      size: rung,
      frameRate: plan.outputFrameRate,
      maxBitRate: limitBitRate(rung, { ...plan, frameRate: plan.outputFrameRate }),
      quality: chooseQuality(rung),
      durationSeconds: plan.durationSeconds,
      ...(task.encoder && { encoder: task.encoder }),
    })
    const rendition = openRendition(path, { ...shared, picture: { encoder: encoder.context } })
    outputs.renditions.push({ rung, rendition })
    const takers = [pushPicture.bind(null, rendition)]
    if (outputs.progressive && rung === largest) {
      const track = addEncodedTrack(outputs.progressive, encoder.context)
      takers.push(deliverTo(outputs.progressive, track, { interleaved: true }))
    }
    targets.push({ size: rung, encoder, deliver: deliverToAll(takers) })
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

/** Decodes the source from end to end, and the file beside it is read as far as the source is. */
async function decodeAll(work: Work, targets: PictureTarget[], report: Report): Promise<void> {
  const { plan, feed } = work
  const source = await openPicture(work)
  for (const stream of source.audio) stream.discard = AVDISCARD_ALL
  const { video, offsetSeconds } = source
  const sink = pictureSink(source, plan, targets)
  await readPackets(source, async (packet) => {
    if (packet.streamIndex !== video.index) return undefined
    const time = isTimestamp(packet.dts) ? packet.dts : packet.pts
    const seconds = isTimestamp(time) ? toSeconds(time, video.timeBase) - offsetSeconds : 0
    await feed.advanceTo(seconds)
    reportSeconds(work, seconds, report)
    return sink.push(packet)
  })
  await sink.finish()
  closeSource(source)
}

async function openPicture({ task, copyPath }: Work): Promise<Source> {
  if (copyPath === null) return openSource(task.sourcePath)
  return { ...(await openSource(copyPath)), offsetSeconds: 0 }
}

function reportSeconds({ plan }: Work, seconds: number, report: Report): void {
  const percent = 2 + (seconds / Math.max(plan.durationSeconds, 0.1)) * 91
  report(Math.min(percent, 93), { stage: 'encoding', doneSeconds: Math.max(0, seconds) })
}

async function closeOutputs(outputs: LadderOutputs): Promise<void> {
  for (const { rendition } of outputs.renditions) await finishRendition(rendition)
  for (const { rendition } of outputs.soundRenditions) await finishSoundRendition(rendition)
  const files = [...(outputs.progressive ? [outputs.progressive] : []), ...outputs.sounds]
  for (const file of files) await finishMp4(file)
}

function abandonOutputs(outputs: LadderOutputs): void {
  for (const { rendition } of outputs.renditions) abandonRendition(rendition)
  for (const { rendition } of outputs.soundRenditions) abandonSoundRendition(rendition)
  const files = [...(outputs.progressive ? [outputs.progressive] : []), ...outputs.sounds]
  for (const file of files) abandonMp4(file)
}
