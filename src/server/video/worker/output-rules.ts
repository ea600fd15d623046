import { basename } from 'node:path'
import { CARD_WIDTHS, cardFileName } from '#shared/poster.ts'
import type { MadeFile } from '../processing/tasks/media-task.ts'
import type { RemoteTask } from './held-task.ts'

type OutputKind = MadeFile['kind']

/** For four renditions, twelve storyboard sheets and 64 sound tracks. */
export const OUTPUTS_MAX = 250

const MEDIA_SPARE_BYTES = 256 * 1024 * 1024
/** Usually a few times the input; more would fill the disk. */
const GROWTH_MAX = 8
const SMALL_FILE_MAX = 16 * 1024 * 1024

const LADDER_FILES: [RegExp, OutputKind][] = [
  [/^hls\.m3u8$/, 'playlist'],
  [/^\d{2,5}p\.mp4$/, 'rendition'],
  [/^\d{2,5}p\.m3u8$/, 'playlist'],
  [/^sound-\d{1,2}(-stream)?\.m4a$/, 'sound'],
  [/^sound-\d{1,2}\.m3u8$/, 'playlist'],
  [/^video\.mp4$/, 'video'],
  [/^share\.mp4$/, 'share'],
  [/^waveform\.bin$/, 'storyboard'],
  [/^storyboard(\.vtt|-\d{1,2}\.jpg)$/, 'storyboard'],
]

export function outputKind(task: RemoteTask, name: string): OutputKind | undefined {
  if (task.kind === 'transcode') return name === basename(task.outputPath) ? 'video' : undefined
  if (pictureNames(task.thumbnailPath).includes(name)) return 'picture'
  return LADDER_FILES.find(([pattern]) => pattern.test(name))?.[1]
}

function pictureNames(thumbnailPath: string | null): string[] {
  if (thumbnailPath === null) return []
  const name = basename(thumbnailPath).replace(/\.[^.]*$/, '')
  return CARD_WIDTHS.map((width) => cardFileName(name, width))
}

export function outputLimits(kind: OutputKind, inputBytes: number): { file: number; all: number } {
  const all = MEDIA_SPARE_BYTES + GROWTH_MAX * inputBytes
  const isSmall = kind === 'playlist' || kind === 'picture' || kind === 'storyboard'
  return { file: isSmall ? SMALL_FILE_MAX : all, all }
}
