import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  LadderResult,
  PrepareResult,
  TranscodeResult,
} from '#server/video/processing/tasks/media-task.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip } from './clips.ts'

const LIMITS = { timeoutMs: 120_000 }

export type ProcessedClip = LadderResult & {
  probe: PrepareResult['probe']
  /** Null where the upload played as it was. */
  first: TranscodeResult | null
  /** The path of one of the ladder's files. */
  at: (name: string) => string
  /** The file that played first. */
  playablePath: string
}

/** Makes a clip and puts it through all three pieces of work, as an upload goes. */
export async function processClip(
  folder: string,
  options: Omit<ClipOptions, 'path'>,
  heights: number[],
): Promise<ProcessedClip> {
  const base = await mkdtemp(join(folder, 'clip-'))
  const source = await makeClip({ path: join(base, 'clip'), ...options })
  return processFile(source, { base, heights })
}

/** The same with a file that is there already, in a folder of its own. */
export async function processFile(
  source: string,
  { base, heights }: { base: string; heights: number[] },
): Promise<ProcessedClip> {
  const [first, outputFolder] = [join(base, 'first'), join(base, 'ladder')]
  for (const path of [first, outputFolder]) await mkdir(path, { recursive: true })
  const prepared = { kind: 'prepare', sourcePath: source, outputFolder: first } as const
  const { probe, videoFile } = await runMediaTask(prepared, LIMITS)
  const playablePath = join(first, 'video.mp4')
  const quick = { kind: 'transcode', quickShortSide: heights[0] ?? 180 } as const
  const made = videoFile
    ? null
    : await runMediaTask({ ...quick, sourcePath: source, outputPath: playablePath }, LIMITS)
  const sourcePath = videoFile ? playablePath : source
  const thumbnailPath = join(first, 'poster.jpg')
  const task = { sourcePath, playablePath, outputFolder, thumbnailPath, heights }
  const result = await runMediaTask({ kind: 'ladder', ...task }, LIMITS)
  return { ...result, probe, first: made, playablePath, at: (name) => join(outputFolder, name) }
}

/** Such as '320x180 214x120'. */
export const sizesOf = (pictures: { width: number; height: number }[]) =>
  pictures.map(({ width, height }) => `${width}x${height}`).join(' ')

/** The files that are served with a picture and, where there is one, a sound. */
export function listVideos({ files, playablePath, at }: ProcessedClip): string[] {
  const made = files.filter(({ kind }) => ['video', 'rendition', 'share'].includes(kind))
  return [playablePath, ...made.map(({ name }) => at(name))]
}
