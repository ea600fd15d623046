import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { updateClaimedJob } from '#server/video/job/job.queries.ts'
import { type JobDeps, type JobRun, requireFile, withInputs } from '#server/video/job/job-run.ts'
import { MediaFailedError, UnplayableSourceError } from '#server/video/processing/media-errors.ts'
import type { AlignResult } from '#server/video/processing/tasks/media-task.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { keyOf } from '#server/video/video/media-address.ts'
import { findViewOfVideo, listFilesToAlign, updatePlace } from './squad-view.queries.ts'

type File = Awaited<ReturnType<typeof listFilesToAlign>>[number]

const isPlaced = ({ offsetSeconds, mediaKey, currentKey }: File) =>
  offsetSeconds !== null && mediaKey === currentKey

/** Finds places for the recordings that wait for one, beside those that have one. */
export async function alignSquadView(deps: JobDeps, { job, ...run }: JobRun): Promise<void> {
  const { db } = deps
  const view = await findViewOfVideo(db, job.videoId)
  const all = view ? await listFilesToAlign(db, view.squadViewId) : []
  const files = [...all.filter(isPlaced), ...all.filter((file) => !isPlaced(file))]
  const isNeeded = files.length > 1 && files.some(({ alignment }) => alignment === 'waiting')
  const places = isNeeded ? await findPlaces(deps, { files, run }) : []
  await inTransaction(db, async (transaction) => {
    const now = view ? await listFilesToAlign(transaction, view.squadViewId) : []
    const known = new Set(files.map(({ videoId }) => videoId))
    const hasMore = now.some((file) => file.alignment === 'waiting' && !known.has(file.videoId))
    const time = timestamp()
    const change = hasMore
      ? { state: 'queued' as const, runAfter: time, percent: 0 }
      : { state: 'done' as const, finishedAt: time, percent: 100 }
    if (!(await updateClaimedJob(transaction, { job, change })) || !view) return
    for (const { videoId, mediaKey, seconds } of places) {
      const alignment = seconds === null ? ('none' as const) : ('sound' as const)
      const place = { alignment, offsetSeconds: seconds, mediaKey }
      await updatePlace(transaction, { squadViewId: view.squadViewId, videoId, place })
    }
  })
}

/** Members align what cannot be read. */
function alignByHand(error: unknown): AlignResult {
  const isFinal = error instanceof MediaFailedError || error instanceof UnplayableSourceError
  if (!isFinal) throw error
  return { offsets: [] }
}

/** @returns those without a place before */
async function findPlaces(
  deps: JobDeps,
  { files, run }: { files: File[]; run: Omit<JobRun, 'job'> },
) {
  const { signal, onProgress } = run
  const keys = files.map(({ currentKey, videoUrl }) => keyOf(currentKey, videoUrl))
  const { offsets } = await withInputs(deps, { keys, signal }, (paths) =>
    runMediaTask(
      { kind: 'align', sourcePaths: paths.map(requireFile) },
      { ...deps.jobLimits, signal, onProgress },
    ),
  ).catch(alignByHand)
  // Times of the task count from another recording than those of the view.
  const fixed = files.findIndex((file, index) => isPlaced(file) && offsets[index] != null)
  const hasPlaced = files.some(isPlaced)
  const shift = fixed < 0 ? 0 : (files[fixed]?.offsetSeconds ?? 0) - (offsets[fixed] ?? 0)
  return files.flatMap((file, index) => {
    if (isPlaced(file)) return []
    const offset = offsets[index] ?? null
    const isKnown = offset !== null && (fixed >= 0 || !hasPlaced)
    const { videoId, currentKey: mediaKey } = file
    return [{ videoId, mediaKey, seconds: isKnown ? offset + shift : null }]
  })
}
