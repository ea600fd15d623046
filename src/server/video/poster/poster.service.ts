import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { mediaUrl, withLocalCopies } from '#server/platform/files/media-store.ts'
import { requirePngOrJpeg } from '#server/platform/files/picture.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { PosterFrame, SetPosterFrame, Video } from '#shared/schemas/video.schemas.ts'
import { measureFiles } from '../media/made-files.ts'
import { publishFiles } from '../media/media-folder.ts'
import { explainMediaFailure } from '../media/redraw-picture.ts'
import type { PosterResult } from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import { keyOf } from '../video/media-address.ts'
import { requireEditable } from '../video/video.access.ts'
import { NO_SUCH_VIDEO, requireVideo, requireVideoOwner } from '../video/video.service.ts'
import { findPosterSources, replacePoster } from './poster.queries.ts'
import { parseStoryboard } from './storyboard-frames.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'deadline'>
type Asking = { id: number; viewer: Viewer }
type OwnVideo = Awaited<ReturnType<typeof requireOwnVideo>>

const TIMEOUT_MS = 30_000
const FRAMES_MAX = 12

/** Empty until fully prepared. */
export async function listPosterFrames(deps: Deps, input: Asking): Promise<PosterFrame[]> {
  const { mediaKey, addressKey, storyboardUrl } = await requireOwnVideo(deps, input)
  const key = keyOf(mediaKey, storyboardUrl)
  const text = await withLocalCopies(deps.media, [key], async ([path]) =>
    path === undefined ? '' : readFile(path, 'utf8'),
  )
  const frames = parseStoryboard(text)
  const count = Math.min(frames.length, FRAMES_MAX)
  const chosen = Array.from(
    { length: count },
    (_, index) => frames[Math.floor(((index + 0.5) * frames.length) / count)],
  )
  return chosen
    .filter((frame) => frame !== undefined)
    .map(({ file, ...frame }) => ({ ...frame, url: mediaUrl(addressKey, file) }))
}

/**
 * @throws `invalid` after the end, `conflict` while not playing, `unprocessable` when undecodable,
 * `too-large`, `no-space`
 */
export async function choosePosterFrame(
  deps: Deps,
  input: SetPosterFrame & { viewer: Viewer },
): Promise<Video> {
  const { atSeconds } = input
  const video = await requireOwnVideo(deps, input)
  const { mediaKey, videoUrl, duration } = video
  if (!videoUrl || video.processingState !== 'ready') {
    throw new AppError('conflict', 'This video does not play yet. Choose a frame when it does.')
  }
  // The stored duration is rounded.
  if (atSeconds > duration + 1) {
    throw new AppError('invalid', 'atSeconds lies after the end of the video.')
  }
  await withLocalCopies(deps.media, [keyOf(mediaKey, videoUrl)], async ([sourcePath]) => {
    if (sourcePath === undefined) {
      // It may be deleted with its video.
      await requireOwnVideo(deps, input)
      throw new AppError('conflict', 'The file of this video is missing.')
    }
    await makePoster(deps, video, () => Promise.resolve({ sourcePath, atSeconds }))
  })
  return requireVideo(deps.db, input)
}

/**
 * @returns the new address
 * @throws `unsupported`, `unprocessable` when undecodable, `too-large`, `no-space`
 */
export async function receivePoster(
  deps: Deps,
  input: Asking & { bytes: Buffer },
): Promise<string> {
  const { bytes } = input
  const video = await requireOwnVideo(deps, input)
  requirePngOrJpeg(bytes, 'The thumbnail')
  return makePoster(deps, video, async (work) => {
    const sourcePath = join(work, 'source')
    await writeFile(sourcePath, bytes)
    return { sourcePath, atSeconds: null }
  })
}

async function requireOwnVideo({ db }: Deps, { id, viewer }: Asking) {
  requireEditable(await requireVideoOwner(db, { id, viewer }), viewer)
  const video = await findPosterSources(db, id)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return { ...video, memberId: viewer.id }
}

/** @returns a new, unique address */
async function makePoster(
  deps: Deps,
  video: OwnVideo,
  prepareSource: (work: string) => Promise<{ sourcePath: string; atSeconds: number | null }>,
): Promise<string> {
  const { db, disk, deadline } = deps
  const { id, memberId } = video
  const mark = randomBytes(6).toString('hex')
  const work = await disk.openWorkFolder(`poster-${mark}`)
  const ready = await disk.openWorkFolder(`poster-${mark}-ready`)
  try {
    const source = await prepareSource(work)
    const made: PosterResult = await runMediaTask(
      { kind: 'poster', ...source, outputFolder: ready, name: `poster-${mark}` },
      { timeoutMs: TIMEOUT_MS, signal: deadline, memberId },
    ).catch(async (error) => {
      if (!(await findPosterSources(db, id))) throw new AppError('not-found', NO_SUCH_VIDEO)
      throw explainMediaFailure(error)
    })
    const names = made.files.map(({ name }) => name)
    return await publishFiles(deps, {
      video,
      workFolder: ready,
      files: await measureFiles(ready, made.files),
      payer: { userId: video.userId },
      publish: (transaction) => replacePoster(transaction, { id, made, names }),
    })
  } finally {
    await removeFolder(work)
    await removeFolder(ready)
  }
}
