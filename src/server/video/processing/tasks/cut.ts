import { join } from 'node:path'
import {
  freeParameterId,
  parseParameterSets,
  describePicture as readUnits,
} from '../encode/parameter-sets.ts'
import { posterFileName, videoFileName } from '../media-limits.ts'
import { doublesFrameRate } from '../picture/picture-filters.ts'
import { makePoster } from '../picture/poster.ts'
import { findHeardSound } from '../source/heard-sound.ts'
import { closeSource, openSource, readLanguage, type Source } from '../source/open-source.ts'
import { roundToMs } from '../source/packet-tally.ts'
import { inspectPicture, type Picture } from '../source/picture.ts'
import {
  indexFrameRate,
  indexPictures,
  listFieldTimes,
  type PictureIndex,
} from '../source/picture-list.ts'
import { canCopyPicture, isBrowserPicture, playsAsIs } from './browser-codecs.ts'
import { alignParts, describeParts, type KeptPart, type KeptPictures } from './cut-parts.ts'
import { type CutRun, planRuns } from './cut-plan.ts'
import { findFlaw, findSoundFlaw } from './cut-proof.ts'
import { cutSmart, JoinError, type SmartCut } from './cut-smart.ts'
import { cutWhole } from './cut-whole.ts'
import type { CutResult, CutTask, Report } from './media-task.ts'

/** Up to here encoding everything is quick enough. */
const wholeByDefaultSeconds = 60

type Examined = {
  picture: Picture
  language: string | null
  firstSound: number | undefined
  index: PictureIndex
  parts: KeptPart[]
  pictures: KeptPictures
  wanted: CutTask['parts']
  totalSeconds: number
  /** An upload of the source would be kept as it is. */
  isKept: boolean
  /** An upload would keep at least its picture. */
  keepsPicture: boolean
  inSeconds: (time: number) => number
  /** A string says why not. */
  smart: Pick<SmartCut, 'sets' | 'parameterId' | 'clean' | 'runs'> | string
}

/**
 * Exact to picture and sample; copies where possible and verifies, else encodes everything. See
 * docs/decisions/0037-cuts.md.
 */
export async function cutVideo(task: CutTask, report: Report): Promise<CutResult> {
  report(1, { stage: 'reading' })
  const examined = await examine(task)
  const { parts, pictures, picture, totalSeconds, index, isKept, keepsPicture } = examined
  const outputPath = join(task.outputFolder, videoFileName)
  const onSeconds = (seconds: number) =>
    report(5 + (seconds / totalSeconds) * 88, { stage: 'encoding', doneSeconds: seconds })
  const { sourcePath } = task
  const { firstSound } = examined
  const shared = { sourcePath, firstSound, outputPath, index, parts, pictures, isKept, onSeconds }
  const reason =
    totalSeconds <= (task.wholeSeconds ?? wholeByDefaultSeconds)
      ? 'It is short.'
      : await trySmart(examined, shared)
  const size =
    reason === null
      ? { width: picture.width, height: picture.height }
      : await cutWhole({ ...shared, picture, keepsPicture, encoder: task.encoder ?? 'libx264' })
  if (reason !== null) await requireSound(examined, shared)
  report(95, { stage: 'storyboard' })
  const durationSeconds = roundToMs(totalSeconds)
  const made = await openSource(outputPath)
  const shown = await inspectPicture(made)
  closeSource(made)
  const posterPath = join(task.outputFolder, posterFileName)
  const hasPoster = await makePoster(outputPath, posterPath, { picture: shown, durationSeconds })
  return {
    durationSeconds,
    ...size,
    soundLanguage: examined.language,
    parts: examined.wanted,
    encodedPictures: countEncoded(examined, reason),
    wholeBecause: reason,
    videoFile: videoFileName,
    posterFile: hasPoster ? posterFileName : null,
  }
}

async function examine(task: CutTask): Promise<Examined> {
  const opened = await openSource(task.sourcePath)
  const picture = await inspectPicture(opened)
  const soundTracks = opened.audio.length
  closeSource(opened)
  const firstSound = task.keepsSoundOrder
    ? undefined
    : await findHeardSound(task.sourcePath, soundTracks)
  const source = await openSource(task.sourcePath, { firstSound })
  const { video, audio, offsetSeconds } = source
  const sets = parseParameterSets(video.codecpar.extradata)
  const clean: number[] = []
  let hasOtherSets = false
  let keys = 0
  const index = await indexPictures(source, {
    untilSeconds: task.parts.at(-1)?.toSeconds ?? 0,
    onKey: (packet) => {
      const position = keys
      keys += 1
      const units = sets && packet.data ? readUnits(packet.data, sets) : null
      if (units?.isClean) clean.push(position)
      hasOtherSets ||= units?.hasOtherSets ?? false
    },
  })
  const clock = { base: video.timeBase, offsetSeconds }
  const inSeconds = (time: number) => (time * clock.base.num) / clock.base.den
  const hasFields = doublesFrameRate(picture, indexFrameRate(index, clock.base))
  const shown = hasFields ? listFieldTimes(index) : index.shown
  const { parts, pictures } = alignParts({ shown, end: index.end }, clock, task.parts)
  const places = clean.map((key) => index.keys[key] ?? 0)
  const language = audio[0] ? readLanguage(audio[0]) : null
  const total = parts.reduce((sum, { start, end }) => sum + end - start, 0)
  const problem = findProblem(source, { picture, index, hasOtherSets })
  const parameterId = sets && freeParameterId(sets)
  const isKept = playsAsIs(source, picture)
  const keepsPicture = isKept || canCopyPicture(source, picture)
  closeSource(source)
  return {
    picture,
    language,
    firstSound,
    index,
    parts,
    pictures,
    wanted: describeParts(parts, clock),
    totalSeconds: inSeconds(total),
    isKept,
    keepsPicture,
    inSeconds,
    smart:
      problem ??
      (sets && parameterId !== null
        ? { sets, parameterId, clean: places, runs: planRuns(index, places, parts, pictures) }
        : 'Its parameter sets leave no room.'),
  }
}

function findProblem(
  source: Source,
  facts: { picture: Picture; index: PictureIndex; hasOtherSets: boolean },
): string | null {
  const { picture, index, hasOtherSets } = facts
  const sets = parseParameterSets(source.video.codecpar.extradata)
  if (source.container === 'avi') return 'AVI does not say when pictures are shown.'
  if (!isBrowserPicture(source.video, picture)) return 'Browsers do not play it as it is.'
  if (sets?.lengthBytes !== 4) return 'It has no parameter sets of its own.'
  if (hasOtherSets) return 'Its parameter sets change.'
  if (index.lacksTimes) return 'Pictures lack their times.'
  if (index.hasHidden) return 'It has pictures that are not shown.'
  const { shown } = index
  if (shown.some((time, position) => time === shown[position + 1]))
    return 'Pictures share their times.'
  return null
}

/** @returns the failure; null when verified */
async function trySmart(
  { smart, parts, pictures, inSeconds, totalSeconds, wanted }: Examined,
  shared: Pick<
    SmartCut,
    | 'sourcePath'
    | 'firstSound'
    | 'outputPath'
    | 'index'
    | 'parts'
    | 'pictures'
    | 'isKept'
    | 'onSeconds'
  >,
): Promise<string | null> {
  if (typeof smart === 'string') return smart
  if (!smart.runs.some(({ kind }) => kind === 'copy')) return 'No key frame lies in what is kept.'
  try {
    await cutSmart({ ...shared, ...smart })
  } catch (error) {
    if (error instanceof JoinError) return error.message
    throw error
  }
  const flaw = await findFlaw(shared.outputPath, {
    times: pictures.outputs.map(inSeconds),
    endSeconds: totalSeconds,
    joints: findJoints(smart.runs, parts, pictures).map(inSeconds),
  })
  const { sourcePath, firstSound, outputPath } = shared
  return flaw ?? findSoundFlaw(outputPath, { sourcePath, firstSound, parts: wanted })
}

async function requireSound(
  { wanted }: Examined,
  {
    sourcePath,
    firstSound,
    outputPath,
  }: Pick<SmartCut, 'sourcePath' | 'firstSound' | 'outputPath'>,
): Promise<void> {
  const flaw = await findSoundFlaw(outputPath, { sourcePath, firstSound, parts: wanted })
  if (flaw !== null) throw new Error(flaw)
}

function findJoints(
  runs: readonly CutRun[],
  parts: readonly KeptPart[],
  { outputs }: KeptPictures,
): number[] {
  const begins = runs.map((run) => (run.kind === 'copy' ? run.output : (outputs[run.from] ?? 0)))
  return [...new Set([...begins, ...parts.map(({ output }) => output)])].sort((a, b) => a - b)
}

function countEncoded({ pictures, smart }: Examined, reason: string | null): number {
  const all = pictures.outputs.length
  if (reason !== null || typeof smart === 'string') return all
  return smart.runs.reduce(
    (sum, run) => (run.kind === 'copy' ? sum - (run.until - run.from) : sum),
    all,
  )
}
