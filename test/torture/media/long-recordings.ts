import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { joinClip } from '#test/support/joined-clip.ts'
import type { Figure, TortureResult } from '../part.ts'
import { watchMediaChildren } from './media-children.ts'

const MIB = 1024 ** 2
const PART_SECONDS = 10
const HOURS = 3
const TIMES = (HOURS * 3600) / PART_SECONDS
/** What the work on a recording of any length may take; of pictures up to 1080p. */
const MOST_MIB = 350
const LIMITS = { timeoutMs: 3 * 3_600_000 }

type Recording = { name: string; clip: Omit<ClipOptions, 'path'>; heights: number[] }

const small = { width: 854, height: 480, keyFrameSeconds: 2, seconds: PART_SECONDS }
const large = { ...small, width: 1920, height: 1080 }

const copied = [1, 3, 6].flatMap((audioTracks): Recording[] => {
  const tracks = audioTracks === 1 ? 'one track' : `${audioTracks} tracks`
  return [
    { name: `480p, ${tracks}, copied`, clip: { ...small, audioTracks }, heights: [480] },
    { name: `1080p, ${tracks}, copied`, clip: { ...large, audioTracks }, heights: [1080] },
  ]
})

/** What encoders hold in memory is the same at any rate, and at this one they are done within the hour. */
const slow = { ...large, frameRate: 0.2 }

const encoded = [1, 3, 6].map(
  (audioTracks): Recording => ({
    name: `1080p with ${audioTracks} sound tracks, two steps encoded`,
    clip: { ...slow, audioTracks },
    heights: [1080, 720, 480],
  }),
)

const RECORDINGS = [...copied, ...encoded]

/** Prepares recordings of three hours as an upload is, and looks how much memory each process took for it. */
export async function tryLongRecordings(
  folder: string,
  log: (line: string) => void,
): Promise<TortureResult> {
  const figures: Figure[] = []
  const failures: string[] = []
  for (const recording of RECORDINGS) {
    log(recording.name)
    const peak = await prepareRecording(join(folder, 'long'), recording)
    const limit = `${MOST_MIB}`
    figures.push({ what: `memory for 3 h of ${recording.name}, MiB`, value: peak, limit })
    if (peak > MOST_MIB) failures.push(`Three hours of ${recording.name} took ${peak} MiB.`)
  }
  return { figures, failures }
}

/** @returns the most that a process took for it, MiB */
export async function prepareRecording(
  folder: string,
  { clip, heights }: Recording,
): Promise<number> {
  const [first, ladder] = [join(folder, 'first'), join(folder, 'ladder')]
  for (const path of [first, ladder]) await mkdir(path, { recursive: true })
  const part = await makeClip({ path: join(folder, 'part.mp4'), ...clip })
  const sourcePath = join(folder, 'whole.mp4')
  await joinClip(sourcePath, { part, times: TIMES, seconds: PART_SECONDS })
  const children = watchMediaChildren(process.pid)
  await runMediaTask({ kind: 'prepare', sourcePath, outputFolder: first }, LIMITS)
  await rm(sourcePath)
  const playablePath = join(first, 'video.mp4')
  const made = await runMediaTask(
    {
      ...{ kind: 'ladder', sourcePath: playablePath, playablePath, outputFolder: ladder },
      ...{ thumbnailPath: join(first, 'poster.jpg'), heights },
    },
    LIMITS,
  )
  const { peakBytes } = await children.stop()
  await rm(folder, { recursive: true })
  const isWhole = made.renditions.length === heights.length && made.storyboardFile !== null
  if (!isWhole) throw new Error('The stream is not whole.')
  return Math.round(peakBytes / MIB)
}
