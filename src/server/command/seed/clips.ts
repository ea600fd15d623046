import { copyFileSync, linkSync, mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type MediaStore, mediaUrl } from '../../media/media-store.ts'
import { UnplayableSourceError } from '../../processing/media-errors.ts'
import { runMediaTask } from '../../processing/run-media-task.ts'
import { CommandError } from '../command-line.ts'

/** A video file made ready for playing, and its picture. */
export type Clip = {
  /** Where its files lie now; a copy takes over where one file cannot have more names. */
  files: { name: string; path: string; names: number }[]
  videoFile: string
  posterFile: string | null
  /** Seconds. */
  duration: number
  width: number
  height: number
  storageBytes: number
}

/** Windows allows 1023 names of a file and ext4 65,000; a backup of the site adds one to each. */
const NAMES_MAX = 500
const TIMEOUT_MS = 60 * 60 * 1000
const VIDEO_FILE = 'video.mp4'

/**
 * Puts a video file through the same preparation as an upload, once.
 * @param folder an empty folder on the site's file system
 * @throws CommandError when there is no such file, or it cannot be played
 */
export async function prepareClip(sourcePath: string, folder: string): Promise<Clip> {
  const found = await stat(sourcePath).catch(() => undefined)
  if (!found?.isFile()) throw new CommandError(`There is no file ${sourcePath}.`)
  try {
    const { probe, videoFile, posterFile } = await runMediaTask(
      { kind: 'prepare', sourcePath, outputFolder: folder },
      { timeoutMs: TIMEOUT_MS },
    )
    const outputPath = join(folder, VIDEO_FILE)
    const { durationSeconds, width, height } = videoFile
      ? probe
      : await runMediaTask({ kind: 'transcode', sourcePath, outputPath }, { timeoutMs: TIMEOUT_MS })
    const names = [videoFile ?? VIDEO_FILE, ...(posterFile ? [posterFile] : [])]
    const files = names.map((name) => ({ name, path: join(folder, name), names: 1 }))
    const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
    return {
      files,
      videoFile: videoFile ?? VIDEO_FILE,
      posterFile,
      duration: Math.round(durationSeconds),
      width,
      height,
      storageBytes: sizes.reduce((sum, size) => sum + size, 0),
    }
  } catch (error) {
    if (!(error instanceof UnplayableSourceError)) throw error
    throw new CommandError(`${basename(sourcePath)} cannot be used. ${error.message}`)
  }
}

/** Gives a video the files of a clip, as further names of the same files where that is possible. */
export function giveClip(clip: Clip, input: { media: MediaStore; mediaKey: string }) {
  const { mediaKey } = input
  const folder = input.media.mediaFolder(mediaKey)
  mkdirSync(folder, { recursive: true })
  for (const file of clip.files) {
    const target = join(folder, file.name)
    if (file.names < NAMES_MAX && linkedTo(file.path, target)) {
      file.names++
    } else {
      copyFileSync(file.path, target)
      file.path = target
      file.names = 1
    }
  }
  const { videoFile, posterFile, width, height, storageBytes } = clip
  return {
    videoUrl: mediaUrl(mediaKey, videoFile),
    thumbnailUrl: posterFile && mediaUrl(mediaKey, posterFile),
    width,
    height,
    storageBytes,
    videoFileExists: 1 as const,
  }
}

/** @returns false where a file cannot have two names */
function linkedTo(path: string, target: string): boolean {
  try {
    linkSync(path, target)
    return true
  } catch {
    return false
  }
}
