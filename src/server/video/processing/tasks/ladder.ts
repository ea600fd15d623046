import { join } from 'node:path'
import { abandonRendition, finishRendition } from '../package/hls-rendition.ts'
import { abandonMp4, finishMp4 } from '../package/mp4-output.ts'
import { abandonSoundRendition, finishSoundRendition } from '../package/sound-rendition.ts'
import { roundToMs } from '../source/packet-tally.ts'
import { openSideFeed } from '../source/side-feed.ts'
import { copyPictureTrack, copySoundTrack, joinSound } from './join-sound.ts'
import { makeExtras } from './ladder-extras.ts'
import {
  describeLadder,
  masterFileName,
  measureFiles,
  progressiveFileName,
  renditionFileName,
} from './ladder-files.ts'
import { gatherMoments } from './ladder-moments.ts'
import type { LadderOutputs, LadderSounds } from './ladder-parts.ts'
import { type LadderPlan, planLadder } from './ladder-plan.ts'
import { planSounds } from './ladder-sound.ts'
import { makePicturesLast, makeSteps } from './ladder-steps.ts'
import { indexedCopyPath, type LadderResult, type LadderTask, type Report } from './media-task.ts'
import { copyPicture } from './picture-copy.ts'

/**
 * Decodes the picture once for all renditions; copies the existing one, with the sound of
 * `playablePath`.
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
    const work = { task, plan, feed, sounds, outputs, report }
    await (plan.picturesLast ? makePicturesLast(work, copyPath) : makeSteps(work))
    await closeOutputs(outputs)
  } catch (error) {
    abandonOutputs(outputs)
    throw error
  }
  if (plan.needsProgressive && !outputs.progressive) {
    await joinProgressive(task, plan, report)
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
    soundNames: listSoundNames(task, sounds),
    loudnessLufs: loudness.integrated,
    moments,
    masterFile: masterFileName,
    progressiveFile: plan.needsProgressive ? progressiveFileName : null,
    share: extras.share,
    storyboardFile: extras.storyboardFile,
    cardFile: extras.cardFile,
    preview: extras.preview,
    files: await measureFiles(task.outputFolder, [...facts.files, ...extras.files]),
  }
}

function listSoundNames(
  { hasMix }: LadderTask,
  { first, others }: LadderSounds,
): (string | null)[] {
  if (!first || others.length === 0) return []
  return (hasMix ? others : [first, ...others]).map(({ name }) => name)
}

async function joinProgressive(
  { outputFolder, playablePath }: LadderTask,
  { sizes, durationSeconds }: LadderPlan,
  report: Report,
): Promise<void> {
  const [largest] = sizes
  if (!largest) return
  const path = join(outputFolder, progressiveFileName)
  await joinSound(join(outputFolder, renditionFileName(largest)), path, {
    soundPath: playablePath,
    seconds: durationSeconds,
    picture: copyPictureTrack,
    sounds: (output, source) =>
      source.audio.map((stream) => copySoundTrack(output, source, stream)),
    onFraction: (fraction) => report(93 + fraction),
  })
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
