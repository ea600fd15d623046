import { open } from 'node:fs/promises'
import { readMatroskaChapters } from './matroska-chapters.ts'
import { readMp4Chapters } from './mp4-chapters.ts'
import type { Source } from './open-source.ts'
import { cleanTitle, type SourceChapter } from './source-chapter.ts'

const mostChapters = 100

/** node-av does not expose chapters. Drops a single one at 0; none from an invalid file. */
export async function readChapters(
  path: string,
  { container, offsetSeconds }: Pick<Source, 'container' | 'offsetSeconds'>,
): Promise<SourceChapter[]> {
  if (container !== 'mp4' && container !== 'matroska') return []
  const read = { mp4: readMp4Chapters, matroska: readMatroskaChapters }[container]
  const file = await open(path, 'r')
  try {
    const chapters = await read(file)
    return chapters
      .map(({ seconds, title }) => ({ seconds: seconds - offsetSeconds, title: cleanTitle(title) }))
      .filter(({ seconds }) => seconds >= 1)
      .sort((a, b) => a.seconds - b.seconds)
      .slice(0, mostChapters)
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  } finally {
    await file.close()
  }
}
