import { importShareLink } from '#server/discovery/share-link/share-link.service.ts'
import { makeShareToken } from '#server/discovery/share-link/share-token.ts'
import { type DatabaseTransaction, inTransaction } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { listCaptionsOf } from '#server/video/caption/caption.queries.ts'
import { receiveCaptions } from '#server/video/caption/caption.service.ts'
import { nameOf } from '#server/video/caption-text/caption-language.ts'
import { importClip, measureRoom } from '#server/video/clip/clip.service.ts'
import { replaceTimelineMarkers } from '#server/video/moment/moment.queries.ts'
import { receiveThumbnail } from '#server/video/upload/upload-thumbnail.service.ts'
import type { ImportedVideo } from '#server/video/video/imported-video.queries.ts'
import { updateImportedVideo } from '#server/video/video/imported-video.queries.ts'
import { updateVideo } from '#server/video/video/video.queries.ts'
import { MAX_CAPTIONS_BYTES, TIMELINE_MARKERS_MAX } from '#shared/limits.ts'
import { type ForeignVideo, readForeignFile } from './foreign-library.ts'
import type { ImportDeps, ImportListeners } from './import-deps.ts'

const NO_LINK = 'It had a password, and is private here: share it with a link in the Studio.'

type Published = {
  video: ForeignVideo
  viewer: Viewer
  imported: ImportedVideo
  onLink?: ImportListeners['onLink']
}

/**
 * Adds the picture to an upload that is still received. It replaces the one of an interrupted import.
 * @returns sentences about what is missing
 */
export async function addPicture(
  deps: ImportDeps,
  { video, uploadId, viewer }: { video: ForeignVideo; uploadId: string; viewer: Viewer },
): Promise<{ thumbnailUrl: string | undefined; problems: string[] }> {
  const { findPicture } = video
  let thumbnailUrl: string | undefined
  if (!findPicture) return { thumbnailUrl, problems: [] }
  const problems = await explained('its picture', async () => {
    const bytes = await readForeignFile(findPicture, deps.config.maxThumbnailBytes)
    thumbnailUrl = await receiveThumbnail(deps, { uploadId, bytes, viewer })
  })
  return { thumbnailUrl, problems }
}

/**
 * Adds the captions, which have files, and then the rest in the transaction that marks the import as done.
 * @returns no video id if the video has been deleted; sentences about what is missing
 */
export async function finishImport(
  deps: ImportDeps,
  input: Published,
): Promise<{ videoId: number | undefined; problems: string[] }> {
  const { video, viewer, imported, onLink } = input
  const { passwordHash, details } = video
  const { id, videoId } = imported
  const problems = videoId === null ? [] : await addCaptions(deps, { ...input, videoId })
  const room = await measureRoom(deps)
  const token = makeShareToken()
  const hasPassword = videoId !== null && passwordHash !== undefined
  if (hasPassword) {
    onLink?.({ title: details.title, token })
    if (!onLink) problems.push(NO_LINK)
  }
  await inTransaction(deps.db, async (transaction) => {
    await updateImportedVideo(transaction, { id, change: { state: 'done' } })
    if (videoId === null) return
    if (onLink && passwordHash !== undefined) {
      const link = { videoId, createdBy: viewer.id, token, passwordHash, note: 'Imported' }
      await importShareLink(transaction, link)
    }
    await addRows(transaction, { ...input, videoId })
    const { crop } = video
    if (!crop) return
    const clip = { ...crop, title: details.title, videoId, viewer, room }
    const createdAt = imported.publishedAt
    const add = () => importClip(transaction, { ...clip, createdAt })
    problems.push(...(await explained('its crop', add)))
  })
  failpoint('import.done')
  return { videoId: videoId ?? undefined, problems }
}

async function addRows(
  transaction: DatabaseTransaction,
  { video, viewer, videoId }: Published & { videoId: number },
): Promise<void> {
  const { moments = [], settings } = video
  if (settings) await updateVideo(transaction, { id: videoId, change: settings })
  const markers = moments.slice(0, TIMELINE_MARKERS_MAX)
  await replaceTimelineMarkers(transaction, { videoId, userId: viewer.id, markers })
}

/** Leaves out captions that an interrupted import has added. */
async function addCaptions(
  deps: ImportDeps,
  { video, viewer, videoId }: Published & { videoId: number },
): Promise<string[]> {
  const problems: string[] = []
  for (const { language, find } of video.captions ?? []) {
    const label = nameOf(language)
    const known = await listCaptionsOf(deps.db, videoId)
    if (known.some((captions) => captions.label === label)) continue
    const add = async () => {
      const bytes = await readForeignFile(find, MAX_CAPTIONS_BYTES)
      await receiveCaptions(deps, { id: videoId, language, label, bytes, viewer })
    }
    problems.push(...(await explained(`its captions in ${label}`, add)))
  }
  return problems
}

/** @returns a sentence if `add` has failed for a reason that belongs to the video */
async function explained(what: string, add: () => Promise<unknown>): Promise<string[]> {
  try {
    await add()
    return []
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'no-space') throw error
    return [`The video is here, but not ${what}: ${error.message}`]
  }
}
