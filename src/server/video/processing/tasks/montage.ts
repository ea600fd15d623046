import { join } from 'node:path'
import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { limitBitRate } from '../encode/bit-rates.ts'
import {
  closeEncoder,
  encodeFrame,
  openPictureEncoder,
  openSoundEncoder,
  pictureClock,
} from '../encode/encoder.ts'
import { chooseQuality } from '../encode/rendition-size.ts'
import { makeSegmentClock } from '../encode/segment-clock.ts'
import { posterFileName, videoFileName } from '../media-limits.ts'
import {
  abandonMp4,
  addEncodedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from '../package/mp4-output.ts'
import { makePartPictures } from '../picture/part-pictures.ts'
import { makePictureJoiner, type PictureJoiner } from '../picture/picture-joiner.ts'
import { makePoster } from '../picture/poster.ts'
import { drawTitleCard } from '../picture/title-card.ts'
import { makeGain, makePartSound, pushSilence } from '../sound/part-sound.ts'
import { makeSoundJoiner, type SoundJoiner } from '../sound/sound-joiner.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { roundToMs } from '../source/packet-tally.ts'
import { inspectPicture } from '../source/picture.ts'
import { seekSource } from '../source/seek.ts'
import type { MontageResult, MontageTask, Report } from './media-task.ts'
import { isBeyond, runInSeconds } from './montage-loudness.ts'
import { type MontagePart, type MontagePlan, namePart, planMontageTask } from './montage-plan.ts'

const soundBitRate = 160_000

/** The poster follows. */
const planPercent = 10
const encodePercent = 98

/** See docs/decisions/0038-montages.md. */
export async function makeMontage(task: MontageTask, report: Report): Promise<MontageResult> {
  const plan = await planMontageTask(task, (index) =>
    report(((index + 1) / task.parts.length) * planPercent, { stage: 'reading' }),
  )
  const path = join(task.outputFolder, videoFileName)
  const output = openMp4(path, { kind: 'rewrite' }, plan.totalFrames / plan.frameRate)
  try {
    await writeMontage(task, { plan, output, report })
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  await finishMp4(output)
  const durationSeconds = roundToMs(plan.totalFrames / plan.frameRate)
  const hasPoster = await drawPoster(task, { path, durationSeconds })
  return {
    durationSeconds,
    ...plan.canvas,
    videoFile: videoFileName,
    posterFile: hasPoster ? posterFileName : null,
  }
}

type Joiners = { pictures: PictureJoiner; sounds: SoundJoiner }

async function writeMontage(
  task: MontageTask,
  { plan, output, report }: { plan: MontagePlan; output: Mp4Output; report: Report },
): Promise<void> {
  const pictures = openPictures(task, { plan, output, report })
  const joiners = { pictures: pictures.joiner, sounds: openSounds(output, plan) }
  beginMp4(output)
  await addTitleCard(task, { plan, joiners })
  for (const part of plan.parts) {
    await namePart(part, () => addPart(part, { plan, joiners }))
    joiners.pictures.endPart()
    joiners.sounds.endPart()
  }
  joiners.pictures.finish()
  pictures.finish()
  joiners.sounds.finish()
}

function openPictures(
  { encoder: encoderName }: MontageTask,
  { plan, output, report }: { plan: MontagePlan; output: Mp4Output; report: Report },
) {
  const { canvas, frameRate, fadeFrames, totalFrames } = plan
  const encoder = openPictureEncoder({
    size: canvas,
    frameRate,
    maxBitRate: limitBitRate(canvas, {
      ...{ codec: 'h264', bitRate: 0, frameRate },
      durationSeconds: totalFrames / frameRate,
    }),
    quality: chooseQuality({ ...canvas, name: Math.min(canvas.width, canvas.height) }),
    ...(encoderName && { encoder: encoderName }),
  })
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  const isKeyTime = makeSegmentClock(null)
  const step = BigInt(pictureClock.den / frameRate)
  let count = 0
  const joiner = makePictureJoiner(fadeFrames, (frame: Frame) => {
    frame.pts = BigInt(count) * step
    frame.duration = step
    frame.timeBase = pictureClock
    frame.pictType = isKeyTime(count / frameRate) ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    encodeFrame(encoder, frame, deliver)
    count += 1
    const done = planPercent + (count / totalFrames) * (encodePercent - planPercent)
    report(done, { stage: 'encoding', doneSeconds: count / frameRate })
  })
  return {
    joiner,
    finish: () => {
      encodeFrame(encoder, null, deliver)
      closeEncoder(encoder)
    },
  }
}

function openSounds(output: Mp4Output, { fadeFrames, samplesPerFrame }: MontagePlan): SoundJoiner {
  const encoder = openSoundEncoder(soundBitRate)
  const deliver = deliverTo(output, addEncodedTrack(output, encoder.context), { interleaved: true })
  return makeSoundJoiner(fadeFrames * samplesPerFrame, { encoder, deliver })
}

async function addTitleCard(
  { titleCard, outputFolder }: MontageTask,
  { plan, joiners }: { plan: MontagePlan; joiners: Joiners },
): Promise<void> {
  if (!titleCard) return
  const card = await drawTitleCard(plan.canvas, { ...titleCard, folder: outputFolder })
  for (let index = 0; index < plan.cardFrames; index += 1) joiners.pictures.push(card)
  card.free()
  pushSilence(plan.cardFrames * plan.samplesPerFrame, joiners.sounds.push)
  joiners.pictures.endPart()
  joiners.sounds.endPart()
}

async function addPart(
  part: MontagePart,
  { plan, joiners }: { plan: MontagePlan; joiners: Joiners },
): Promise<void> {
  const { fromSeconds, frames, picture, gain } = part
  const { canvas, frameRate } = plan
  const samples = frames * plan.samplesPerFrame
  const source = await openSource(part.sourcePath)
  const pictures = makePartPictures(source, {
    ...{ picture, canvas, frameRate, fromSeconds, frames },
    take: joiners.pictures.push,
  })
  const louder = makeGain(gain, joiners.sounds.push)
  const sound = makePartSound(source, { fromSeconds, samples, take: louder.push })
  const soundIndex = source.audio[0]?.index
  seekSource(source, source.offsetSeconds + fromSeconds - runInSeconds)
  await readPackets(source, async (packet) => {
    if (packet.streamIndex === source.video.index) await pictures.push(packet)
    if (packet.streamIndex === soundIndex) await sound?.push(packet)
    const isFull = pictures.isFull() && (sound?.isFull() ?? true)
    return !isFull && !isBeyond(source, packet, part.toSeconds)
  })
  await pictures.finish()
  if (sound) await sound.finish()
  else pushSilence(samples, louder.push)
  louder.finish()
  closeSource(source)
}

async function drawPoster(
  { outputFolder }: MontageTask,
  { path, durationSeconds }: { path: string; durationSeconds: number },
): Promise<boolean> {
  const source = await openSource(path)
  const picture = await inspectPicture(source)
  closeSource(source)
  return makePoster(path, join(outputFolder, posterFileName), { picture, durationSeconds })
}
