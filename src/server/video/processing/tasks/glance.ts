import { maxDurationSeconds } from '../media-limits.ts'
import { makePoster } from '../picture/poster.ts'
import { closeSource, openSource } from '../source/open-source.ts'
import { inspectPicture } from '../source/picture.ts'
import { isTimestamp } from '../timestamps.ts'
import type { GlanceResult, GlanceTask } from './media-task.ts'

const box = { width: 320, height: 180 }

/** @throws UnplayableSourceError if the file is not a video */
export async function glance({ sourcePath, outputPath }: GlanceTask): Promise<GlanceResult> {
  const source = await openSource(sourcePath)
  const picture = await inspectPicture(source)
  const { duration } = source.input
  const stated = isTimestamp(duration) ? Number(duration) / 1e6 : 0
  closeSource(source)
  const durationSeconds = stated > 0 && stated < maxDurationSeconds ? stated : 0
  const hasPicture = await makePoster(sourcePath, outputPath, { picture, durationSeconds, box })
  return { durationSeconds, width: picture.width, height: picture.height, hasPicture }
}
