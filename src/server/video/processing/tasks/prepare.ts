import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IRational } from 'node-av/lib'
import { damagedVideo, onlyOnePicture, UnplayableSourceError } from '../media-errors.ts'
import {
  leastFrameRate,
  maxDurationSeconds,
  posterFileName,
  sparseFromSeconds,
  textFileName,
  videoFileName,
} from '../media-limits.ts'
import { writeBehind } from '../package/write-behind.ts'
import { makePoster } from '../picture/poster.ts'
import { findHeardSound } from '../source/heard-sound.ts'
import {
  closeSource,
  codecName,
  openSource,
  orderSounds,
  readLanguage,
  type Source,
} from '../source/open-source.ts'
import { roundToMs, tallyEnd, tallyFrameRate } from '../source/packet-tally.ts'
import { inspectPicture, type Picture } from '../source/picture.ts'
import { hasTextTracks, readTextTracks } from '../source/text-tracks.ts'
import { playsAsIs } from './browser-codecs.ts'
import type { PrepareResult, PrepareTask, SourceProbe, TextTrackFile } from './media-task.ts'
import { remux, type SourceTally, tallySource } from './remux.ts'

/** Reads to the end, because containers may lie. */
export async function prepare(
  task: PrepareTask,
  onPercent: (percent: number) => void,
): Promise<PrepareResult> {
  const source = await openSource(task.sourcePath)
  const hasTexts = hasTextTracks(source)
  const picture = await inspectPicture(source)
  const { sounds, ...described } = describeSource(source, picture)
  const { offsetSeconds, sizeBytes } = source
  const claimedRate = source.video.avgFrameRate
  // A long recording's index is large: one at a time.
  closeSource(source)
  const firstSound = await findHeardSound(task.sourcePath, sounds.length)
  const known = { ...described, ...nameSounds(orderSounds(sounds, firstSound)) }

  const videoPath = join(task.outputFolder, videoFileName)
  const disk = known.playsAsIs ? writeBehind(videoPath) : null
  const onPosition = (fraction: number) => {
    onPercent(fraction * 90)
    disk?.reach(fraction * sizeBytes)
  }
  const tally = await (known.playsAsIs
    ? remux({ path: task.sourcePath, firstSound }, videoPath, onPosition)
    : tallySource(task.sourcePath, onPosition))
  const durationSeconds = requireDuration(tally, offsetSeconds)
  // Overlaps with the disk sync; the server syncs again.
  const [hasPoster] = await Promise.all([
    makePoster(task.sourcePath, join(task.outputFolder, posterFileName), {
      picture,
      durationSeconds,
    }),
    disk?.finish(),
  ])
  const texts = hasTexts ? await writeTexts(task) : []
  return {
    texts,
    probe: { ...known, durationSeconds, frameRate: settleFrameRate(claimedRate, tally) },
    videoFile: known.playsAsIs ? videoFileName : null,
    posterFile: hasPoster ? posterFileName : null,
  }
}

async function writeTexts({ sourcePath, outputFolder }: PrepareTask): Promise<TextTrackFile[]> {
  const files: TextTrackFile[] = []
  for (const { text, ...said } of await readTextTracks(sourcePath)) {
    const file = textFileName(files.length + 1)
    await writeFile(join(outputFolder, file), text)
    files.push({ file, ...said })
  }
  return files
}

type DescribedSound = { codec: string; language: string | null }

function nameSounds(sounds: DescribedSound[]): Pick<SourceProbe, 'audioCodecs' | 'soundLanguage'> {
  return {
    audioCodecs: sounds.map(({ codec }) => codec),
    soundLanguage: sounds[0]?.language ?? null,
  }
}

function describeSource(source: Source, picture: Picture) {
  return {
    container: source.container,
    width: picture.width,
    height: picture.height,
    rotation: picture.orientation.rotation,
    frameRate: 0,
    videoCodec: codecName(source.video),
    sounds: source.audio.map(
      (stream): DescribedSound => ({
        codec: codecName(stream),
        language: readLanguage(stream),
      }),
    ),
    playsAsIs: playsAsIs(source, picture),
  }
}

function requireDuration(tally: SourceTally, offsetSeconds: number): number {
  if (tally.video.packets === 1) {
    throw onlyOnePicture({ hasSound: tally.audio.some(({ packets }) => packets > 0) })
  }
  const seconds = roundToMs(tallyEnd(tally.video, tally.audio) - offsetSeconds)
  if (!(seconds > 0) || tally.video.packets === 0) {
    throw new UnplayableSourceError('This video has no length.')
  }
  if (seconds > maxDurationSeconds) {
    throw damagedVideo()
  }
  // A few kilobytes of repeated pictures could keep the encoder busy for hours.
  if (seconds > sparseFromSeconds && tally.video.packets < seconds * leastFrameRate) {
    throw new UnplayableSourceError('This video has too few pictures for its length.')
  }
  return seconds
}

/** The container's, if only rounding differs. */
function settleFrameRate(claimed: IRational, tally: SourceTally): number {
  const counted = tallyFrameRate(tally.video)
  const rate = claimed.den > 0 ? claimed.num / claimed.den : 0
  return roundToMs(Math.abs(rate - counted) < counted * 0.03 ? rate : counted)
}
