import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { makeClip } from '#test/support/clips.ts'
import { joinClip } from '#test/support/joined-clip.ts'
import type { Figure, TortureInput, TortureResult } from '../part.ts'
import { LONG_RECORDINGS, type LongRecording, PART_SECONDS } from './long-recording-cases.ts'
import { watchMediaChildren } from './media-children.ts'

const MIB = 1024 ** 2
const HOURS = 3
const SECONDS = HOURS * 3600
const TIMES = SECONDS / PART_SECONDS
/** Memory limit of each task, whatever the length of the recording. */
const MOST_MIB = 350
/** Short side that the server encodes first for recordings that do not play. */
const QUICK_SHORT_SIDE = 720
/** Some seconds in the middle go. */
const KEPT_PARTS = [
  { fromSeconds: 0, toSeconds: SECONDS / 2 - 3.3 },
  { fromSeconds: SECONDS / 2 + 3.3, toSeconds: SECONDS },
]
/** With the longest that is encoded as a whole. */
const CUTS = [
  ['cut', 0],
  ['whole cut', SECONDS],
] as const
const LIMITS = { timeoutMs: 6 * 3_600_000 }

/** Prepares recordings of three hours as an upload is, and measures the peak memory of each process. */
export async function tryLongRecordings({
  folder,
  log,
  only = '',
}: TortureInput): Promise<TortureResult> {
  const figures: Figure[] = []
  const failures: string[] = []
  const chosen = LONG_RECORDINGS.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) failures.push(`There is no recording named '${only}'.`)
  for (const recording of chosen) {
    const peaks = await prepareRecording(join(folder, 'long'), recording, log)
    const told = [...peaks].map(([task, peak]) => `${task} ${peak}`).join(', ')
    const limit = recording.mostMib ?? MOST_MIB
    const highest = Math.max(...peaks.values())
    const what = `memory for 3 h of ${recording.name}, MiB`
    figures.push({ what, value: told, limit: `${limit}` })
    if (highest > limit) failures.push(`Three hours of ${recording.name} took ${highest} MiB.`)
  }
  return { figures, failures }
}

/** @returns the peak memory of each task, MiB */
async function prepareRecording(
  folder: string,
  { name, clip, extension, heights, wholeSeconds, isCut = false }: LongRecording,
  log: (line: string) => void,
): Promise<Map<string, number>> {
  const [first, ladder] = [join(folder, 'first'), join(folder, 'ladder')]
  for (const path of [first, ladder]) await mkdir(path, { recursive: true })
  const part = await makeClip({ path: join(folder, `part.${extension}`), ...clip })
  const upload = join(folder, `whole.${extension}`)
  await joinClip(upload, {
    ...{ part, times: TIMES, seconds: PART_SECONDS },
    ...(wholeSeconds !== undefined && { wholeSeconds }),
  })
  const peaks = new Map<string, number>()
  const measure = async <Result>(task: string, work: () => Promise<Result>): Promise<Result> => {
    const children = watchMediaChildren(process.pid)
    const result = await work()
    const peak = Math.round((await children.stop()).peakBytes / MIB)
    peaks.set(task, peak)
    log(`${name}: ${task} ${peak} MiB`)
    return result
  }
  const prepared = await measure('prepare', () =>
    runMediaTask({ kind: 'prepare', sourcePath: upload, outputFolder: first }, LIMITS),
  )
  const playablePath = join(first, 'video.mp4')
  const isPlayable = prepared.videoFile !== null
  const quickShortSide = heights.find((height) => height <= QUICK_SHORT_SIDE) ?? QUICK_SHORT_SIDE
  if (!isPlayable) {
    await measure('transcode', () =>
      runMediaTask(
        { kind: 'transcode', sourcePath: upload, outputPath: playablePath, quickShortSide },
        LIMITS,
      ),
    )
  }
  const made = await measure('ladder', () =>
    runMediaTask(
      {
        ...{ kind: 'ladder', sourcePath: isPlayable ? playablePath : upload, playablePath },
        ...{ outputFolder: ladder, thumbnailPath: join(first, 'poster.jpg'), heights },
      },
      LIMITS,
    ),
  )
  for (const [task, mostEncoded] of isCut ? CUTS : []) {
    const outputFolder = join(folder, task)
    await mkdir(outputFolder)
    const { wholeBecause } = await measure(task, () =>
      runMediaTask(
        {
          ...{ kind: 'cut', sourcePath: upload, outputFolder, parts: KEPT_PARTS },
          wholeSeconds: mostEncoded,
        },
        LIMITS,
      ),
    )
    if ((wholeBecause === null) !== (mostEncoded === 0)) {
      throw new Error(`The ${task} went another way: ${wholeBecause}`)
    }
  }
  await rm(folder, { recursive: true })
  const isWhole = made.renditions.length === heights.length && made.storyboardFile !== null
  if (!isWhole) throw new Error('The stream is not whole.')
  return peaks
}
