import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import type { Benchmark } from './benchmark.ts'
import { atMostTimes } from './goal.ts'
import { longRecording } from './seeded-site.ts'

const SOURCE_SECONDS = 3600
const KEPT_SECONDS = 600
/** Encoding ten minutes takes as many times this as its length says: nobody waits for all of it. */
const ENCODED_SECONDS = 30
const LIMITS = { timeoutMs: 3_600_000 }
const START_SECONDS = 1200.35

export const cut: Benchmark = {
  name: 'cut',
  title: 'A cut of 10 minutes out of an hour of 1080p60, beside encoding those 10 minutes',
  long: true,
  async run(input) {
    const sourcePath = await longRecording(input, SOURCE_SECONDS)
    const measure = async (seconds: number, wholeSeconds: number) => {
      const outputFolder = join(input.workFolder, 'cut')
      await mkdir(outputFolder, { recursive: true })
      const parts = [{ fromSeconds: START_SECONDS, toSeconds: START_SECONDS + seconds }]
      const task = { kind: 'cut' as const, sourcePath, outputFolder, parts, wholeSeconds }
      const begunAt = performance.now()
      const made = await runMediaTask(task, LIMITS)
      const took = (performance.now() - begunAt) / 1000
      await rm(outputFolder, { recursive: true })
      return { took, made }
    }
    const smart = await measure(KEPT_SECONDS, 0)
    const reading = (await measure(2, KEPT_SECONDS)).took
    const whole = (await measure(ENCODED_SECONDS, KEPT_SECONDS)).took
    const pace = (whole - reading) / (ENCODED_SECONDS - 2)
    return [
      {
        what: 'cut, 10 minutes of an hour',
        ...{ row: 'cut', unit: 's', ours: smart.took },
        ...{ floorName: 'encoding them', floor: reading + pace * KEPT_SECONDS },
        goal: atMostTimes(0.1),
        remark: `${smart.made.encodedPictures} pictures encoded; the floor is reckoned from ${ENCODED_SECONDS} s`,
      },
    ]
  },
}
