import { copyFileSync, linkSync, mkdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CommandError } from '#server/platform/errors.ts'
import { type MediaStore, mediaUrl, storeKey } from '#server/platform/files/media-store.ts'
import { UnplayableSourceError } from '#server/video/processing/media-errors.ts'
import type { LadderResult, MadeFile } from '#server/video/processing/tasks/media-task.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'

/** A prepared video file. */
export type Clip = {
  files: ClipFile[]
  ladder: LadderResult
  videoFile: string
  posterFile: string | null
  /** Seconds. */
  duration: number
  width: number
  height: number
}

/** The location changes to a copy when the file system allows no more links. */
type ClipFile = MadeFile & { path: string; names: number }

/** Hard links per file: Windows allows 1023 and ext4 65,000, and each backup adds one. */
const NAMES_MAX = 500
const TIMEOUT_MS = 60 * 60 * 1000
const VIDEO_FILE = 'video.mp4'

/**
 * Prepares a video file as an upload.
 * @param input.folder an empty folder on the site's file system
 * @param input.heights short sides of the adaptive stream
 * @throws CommandError when the file is missing or unplayable
 */
export async function prepareClip(
  sourcePath: string,
  input: { folder: string; heights: number[] },
): Promise<Clip> {
  const found = await stat(sourcePath).catch(() => undefined)
  if (!found?.isFile()) throw new CommandError(`There is no file ${sourcePath}.`)
  try {
    return await makeClip(sourcePath, input)
  } catch (error) {
    if (!(error instanceof UnplayableSourceError)) throw error
    throw new CommandError(`${basename(sourcePath)} cannot be used. ${error.message}`)
  }
}

async function makeClip(
  sourcePath: string,
  { folder, heights }: { folder: string; heights: number[] },
): Promise<Clip> {
  const options = { timeoutMs: TIMEOUT_MS }
  const playablePath = join(folder, VIDEO_FILE)
  const prepared = await runMediaTask(
    { kind: 'prepare', sourcePath, outputFolder: folder },
    options,
  )
  const { posterFile } = prepared
  const { durationSeconds, width, height } = prepared.videoFile
    ? prepared.probe
    : await runMediaTask({ kind: 'transcode', sourcePath, outputPath: playablePath }, options)
  const outputFolder = join(folder, 'ladder')
  await mkdir(outputFolder)
  const thumbnailPath = posterFile && join(folder, posterFile)
  const ladder = await runMediaTask(
    {
      ...{ kind: 'ladder', sourcePath: playablePath, playablePath },
      ...{ outputFolder, thumbnailPath, heights },
    },
    options,
  )
  const files: ClipFile[] = ladder.files.map((file) => ({
    ...file,
    path: join(outputFolder, file.name),
    names: 1,
  }))
  const own = [{ name: VIDEO_FILE, kind: 'video' as const }]
  const pictures = posterFile ? [{ name: posterFile, kind: 'picture' as const }] : []
  for (const file of [...own, ...pictures]) {
    if (files.some(({ name }) => name === file.name)) continue
    const path = join(folder, file.name)
    files.push({ ...file, path, names: 1, bytes: (await stat(path)).size })
  }
  const videoFile = ladder.progressiveFile ?? VIDEO_FILE
  const duration = Math.round(durationSeconds)
  return { files, ladder, videoFile, posterFile, duration, width, height }
}

/** Links the files where possible, to save space. @returns the columns of the video */
export function giveClip(clip: Clip, input: { media: MediaStore; mediaKey: string }) {
  const { media, mediaKey } = input
  for (const file of clip.files) {
    const target = media.localPath(storeKey(mediaKey, file.name))
    if (target === undefined) throw new CommandError('Files are given to a folder only.')
    mkdirSync(dirname(target), { recursive: true })
    if (file.names < NAMES_MAX && linkedTo(file.path, target)) {
      file.names++
    } else {
      copyFileSync(file.path, target)
      file.path = target
      file.names = 1
    }
  }
  const { ladder, videoFile, posterFile, width, height } = clip
  const url = (name: string | null | undefined) => (name ? mediaUrl(mediaKey, name) : null)
  const shared = {
    ...{ best: videoFile, playable: VIDEO_FILE },
    file: ladder.files.find(({ kind }) => kind === 'share')?.name,
  }
  return {
    ...{ width, height, loudnessLufs: ladder.loudnessLufs, soundLanguage: ladder.soundLanguage },
    videoUrl: url(videoFile),
    thumbnailUrl: url(posterFile),
    hlsUrl: url(ladder.masterFile),
    storyboardUrl: url(ladder.storyboardFile),
    cardUrl: url(ladder.cardFile),
    preview: ladder.preview,
    shareUrl: url(ladder.share && shared[ladder.share]),
    storageBytes: clip.files.reduce((sum, { bytes }) => sum + bytes, 0),
    videoFileExists: 1 as const,
  }
}

/** @returns false where the file system allows no further link */
function linkedTo(path: string, target: string): boolean {
  try {
    linkSync(path, target)
    return true
  } catch {
    return false
  }
}
