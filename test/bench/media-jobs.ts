import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { secondsOf } from './benchmark.ts'

export const HEIGHTS = [1080, 720, 480]
const LIMITS = { timeoutMs: 3_600_000 }
const QUICK_SHORT_SIDE = 720

export type JobTimes = { prepare: number; transcode: number; ladder: number; total: number }

/** Does with a recording what its upload and the queue do, one after the other; seconds of each. */
export async function runJobs(sourcePath: string, workFolder: string): Promise<JobTimes> {
  const folder = join(workFolder, 'jobs')
  const outputFolder = join(folder, 'ladder')
  await mkdir(outputFolder, { recursive: true })
  let playablePath = join(folder, 'first.mp4')
  let isMade = true
  const prepare = await secondsOf(async () => {
    const task = { kind: 'prepare', sourcePath, outputFolder: folder } as const
    const { videoFile } = await runMediaTask(task, LIMITS)
    if (videoFile) playablePath = join(folder, videoFile)
    isMade = videoFile === null
  })
  const quick = { kind: 'transcode', quickShortSide: QUICK_SHORT_SIDE } as const
  const transcode = isMade
    ? await secondsOf(() =>
        runMediaTask({ ...quick, sourcePath, outputPath: playablePath }, LIMITS),
      )
    : 0
  const ladder = await secondsOf(() =>
    runMediaTask(
      {
        kind: 'ladder',
        sourcePath: isMade ? sourcePath : playablePath,
        playablePath,
        outputFolder,
        thumbnailPath: join(folder, 'poster.jpg'),
        heights: HEIGHTS,
      },
      LIMITS,
    ),
  )
  await rm(folder, { recursive: true })
  return { prepare, transcode, ladder, total: prepare + transcode + ladder }
}
