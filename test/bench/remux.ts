import { copyFile, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFile } from '#server/platform/durable-files.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type Benchmark, secondsOf, takeTurns } from './benchmark.ts'
import { largeClip } from './seeded-site.ts'

const TIMEOUT_MS = 120_000

export const remux: Benchmark = {
  name: 'remux',
  title: 'What completing a 500 MB upload does to the file',
  async run(input) {
    const sourcePath = await largeClip(input)
    const outputFolder = join(input.workFolder, 'remux')
    const into = async (work: () => Promise<unknown>) => {
      await mkdir(outputFolder)
      const seconds = await secondsOf(work)
      await rm(outputFolder, { recursive: true })
      return seconds
    }
    const target = join(outputFolder, 'video.mp4')
    const seconds = await takeTurns(
      {
        copy: () =>
          into(async () => {
            await copyFile(sourcePath, target)
            await syncFile(target)
          }),
        prepare: () =>
          into(async () => {
            await runMediaTask(
              { kind: 'prepare', sourcePath, outputFolder },
              { timeoutMs: TIMEOUT_MS },
            )
            await syncFile(target)
          }),
      },
      (time) => time,
    )
    const megabytes = Math.round((await stat(sourcePath)).size / 1024 / 1024)
    return [
      {
        ...{ what: 'probe, fast start, poster, to the disk', unit: 's', ours: seconds.prepare },
        ...{ floorName: 'cp and fsync', floor: seconds.copy },
        remark: `${megabytes} MB`,
      },
    ]
  },
}
