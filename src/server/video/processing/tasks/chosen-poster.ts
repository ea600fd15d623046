import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { damagedVideo, unknownVideo } from '../media-errors.ts'
import { makeCardPictures } from '../picture/card-pictures.ts'
import { decodeUntil, writePoster } from '../picture/poster.ts'
import { makeThumbnail } from '../picture/thumbnail.ts'
import { closeSource, openSource, type Source } from '../source/open-source.ts'
import { inspectPicture } from '../source/picture.ts'
import { closeDecoder, openDecoder } from '../source/stream-decoder.ts'
import { chosenTimeTolerance, toSeconds } from '../timestamps.ts'
import type { PosterResult, PosterTask } from './media-task.ts'

/** @throws UnplayableSourceError if undecodable */
export async function makeChosenPoster(task: PosterTask): Promise<PosterResult> {
  const { sourcePath, outputFolder, name, atSeconds } = task
  const posterFile = `${name}.jpg`
  const outputPath = join(outputFolder, posterFile)
  if (atSeconds === null) await makeThumbnail({ kind: 'thumbnail', sourcePath, outputPath })
  else await writeFrameAt(sourcePath, outputPath, atSeconds)
  const cards = await makeCardPictures({ sourcePath: outputPath, outputFolder, name })
  const { size: bytes } = await stat(outputPath)
  return {
    ...cards,
    posterFile,
    files: [{ name: posterFile, kind: 'picture', bytes }, ...cards.files],
  }
}

async function writeFrameAt(path: string, outputPath: string, atSeconds: number): Promise<void> {
  const opened = await openSource(path)
  const picture = await inspectPicture(opened)
  closeSource(opened)
  const source = await openSource(path)
  const frame = await findFrame(source, source.offsetSeconds + atSeconds)
  closeSource(source)
  if (!frame) throw damagedVideo()
  await writePoster(outputPath, frame, { picture })
  frame.free()
}

/** The frame on screen, or the first one. */
async function findFrame(source: Source, seconds: number): Promise<Frame | null> {
  const decoder = openDecoder(source.video)
  if (!decoder) throw unknownVideo()
  const shown: { frame: Frame | null } = { frame: null }
  source.input.seekFrameSync(-1, BigInt(Math.round(seconds * 1e6)), AVSEEK_FLAG_BACKWARD)
  await decodeUntil(source, decoder, (frame) => {
    const time = toSeconds(frame.bestEffortTimestamp, source.video.timeBase)
    const isLater = time > seconds + chosenTimeTolerance
    if (isLater && shown.frame) return false
    shown.frame?.free()
    shown.frame = frame.clone()
    return !isLater
  })
  closeDecoder(decoder)
  return shown.frame
}
