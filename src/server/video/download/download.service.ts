import { extname } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { SOURCE_FILE, storeKey } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Download, Downloads } from '#shared/schemas/download.schemas.ts'
import { fileIn } from '../video/media-address.ts'
import { canManage } from '../video/video.access.ts'
import { NO_SUCH_VIDEO } from '../video/video.service.ts'
import { findDownloadableVideo, hasSeparateSound, listPlayableFiles } from './download.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'media'>
type Asking = { id: number; viewer: Viewer | undefined }
type DownloadableVideo = NonNullable<Awaited<ReturnType<typeof findDownloadableVideo>>>
type DownloadableFile = Downloads[number] & { mediaKey: string; name: string }

const RENDITION = /^(\d+)p[-.]/

/**
 * Empty unless site and owner allow downloads, or the viewer is owner or admin. An anonymous
 * owner's original is private: it may name them.
 */
export async function listDownloads(deps: Deps, input: Asking): Promise<Downloads> {
  const video = await requireVideo(deps, input)
  if (!mayDownload(video, input.viewer)) return []
  const files = await listFiles(deps, { video, viewer: input.viewer })
  return files.map(({ mediaKey: _, name: __, ...file }) => file)
}

/** @throws `not-found`, also for a missing quality */
export async function requireDownload(
  deps: Deps,
  input: Download & { viewer: Viewer | undefined },
): Promise<DownloadableFile> {
  const { viewer, quality } = input
  const video = await requireVideo(deps, input)
  if (!mayDownload(video, viewer)) {
    throw new AppError('forbidden', 'This video cannot be downloaded.')
  }
  const files = await listFiles(deps, { video, viewer })
  const file = files.find((one) => one.quality === quality)
  if (!file) throw new AppError('not-found', 'There is no such file of this video.')
  return file
}

async function requireVideo({ db }: Deps, input: Asking): Promise<DownloadableVideo> {
  const video = await findDownloadableVideo(db, input)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return video
}

function mayDownload(video: DownloadableVideo, viewer: Viewer | undefined): boolean {
  return canManage(video, viewer) || (video.siteAllows === 1 && video.allowsDownload === 1)
}

async function listFiles(
  { db, media }: Deps,
  { video, viewer }: { video: DownloadableVideo; viewer: Viewer | undefined },
): Promise<DownloadableFile[]> {
  const { id, mediaKey, title, width, height } = video
  const shortSide = width && height ? Math.min(width, height) : null
  const best = fileIn(video.videoUrl)
  const files = await listPlayableFiles(db, id)
  const isSilent = await hasSeparateSound(db, id)
  const toFile = (
    name: string,
    file: Pick<DownloadableFile, 'quality' | 'bytes' | 'shortSide'>,
  ): DownloadableFile => {
    const { quality } = file
    const mark = typeof quality === 'number' ? ` (${quality}p)` : ''
    const ending = quality === 'original' ? extname(video.fileName ?? '') : extname(name)
    return {
      ...file,
      mediaKey,
      name,
      url: `/api/videos/${id}/download?quality=${quality}`,
      fileName: `${toFileName(title)}${mark}${ending || '.mp4'}`,
    }
  }
  const original =
    video.isAnonymous === 0 || canManage(video, viewer)
      ? await media.stat(storeKey(mediaKey, SOURCE_FILE))
      : undefined
  const steps = files
    .map(({ name, kind, bytes }) => ({ name, bytes, step: stepOf({ name, kind }) }))
    .filter(({ step }) => step > 0 && !isSilent)
    .sort((one, other) => other.step - one.step)
  return [
    ...(original === undefined
      ? []
      : [toFile(SOURCE_FILE, { quality: 'original', bytes: original.bytes, shortSide })]),
    ...(best === null
      ? []
      : [
          toFile(best, {
            quality: 'best',
            bytes: files.find(({ name }) => name === best)?.bytes ?? null,
            shortSide,
          }),
        ]),
    ...steps.map(({ name, bytes, step }) =>
      toFile(name, { quality: step, bytes, shortSide: step }),
    ),
  ]
}

function stepOf({ name, kind }: { name: string; kind: string }): number {
  return kind === 'rendition' ? Number(RENDITION.exec(name)?.[1] ?? 0) : 0
}

/** Some file systems reject characters. */
function toFileName(title: string): string {
  const name = title
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
    .slice(0, 120)
    .trim()
  return name || 'video'
}
