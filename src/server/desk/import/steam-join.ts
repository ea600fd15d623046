import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { MediaFailedError } from '#server/video/processing/media-errors.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { appendSegments, type SegmentedStream, type SteamSession } from './steam-segments.ts'
import { makeTemporaryFile } from './temporary-file.ts'

const JOIN_MS = 2 * 60 * 60 * 1000

/**
 * Copies picture and sound of sessions of one format into an MP4, which is deleted when it is closed.
 * @throws `no-space`, and `unprocessable` if it cannot be read
 */
export async function joinSteamSessions(
  sessions: Pick<SteamSession, 'picture' | 'sound'>[],
  { disk, bytes }: { disk: Disk; bytes: number },
): Promise<FileHandle> {
  const noSpace = () => new AppError('no-space', 'There is no room left to join the recording.')
  if (2 * bytes > (await disk.freeBytes())) throw noSpace()
  try {
    return await makeTemporaryFile(disk, async (folder) => {
      const recordings: { picturePath: string; soundPath: string | null }[] = []
      for (const [index, { picture, sound }] of sessions.entries()) {
        const picturePath = await concatenate(picture, join(folder, `${index}-picture.mp4`))
        const soundPath = sound && (await concatenate(sound, join(folder, `${index}-sound.mp4`)))
        recordings.push({ picturePath, soundPath: soundPath ?? null })
      }
      const outputPath = join(folder, 'joined.mp4')
      await runMediaTask({ kind: 'join', recordings, outputPath }, { timeoutMs: JOIN_MS })
      for (const { picturePath, soundPath } of recordings) {
        await rm(picturePath)
        if (soundPath !== null) await rm(soundPath)
      }
      return outputPath
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace()
    if (error instanceof MediaFailedError) throw new AppError('unprocessable', error.message)
    throw error
  }
}

async function concatenate(stream: SegmentedStream, path: string): Promise<string> {
  const file = await open(path, 'wx')
  try {
    await appendSegments(stream, file)
  } finally {
    await file.close()
  }
  return path
}
