import { findStanding } from '#server/account/user/user.queries.ts'
import { type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import type { UploadRow } from '#server/platform/db/tables/upload.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { upsertFileHash } from '#server/platform/files/file-hash.queries.ts'
import type { MeasuredFile } from '#server/platform/files/file-hash.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { insertJob } from '../job/job.queries.ts'
import { insertCaptions } from '../media/caption-file.queries.ts'
import { insertMediaFiles, type NewMediaFile } from '../media/media-file.queries.ts'
import { replaceRecording } from '../replacement/replacement.queries.ts'
import { announceVideo } from '../video/announce-video.ts'
import { approvalOf } from '../video/approval.ts'
import { findImportOfUpload, updateImportedVideo } from '../video/imported-video.queries.ts'
import { playersNamed } from '../video/video.events.ts'
import { findSquadForNew } from '../video/video-squad.queries.ts'
import type { EmbeddedCaptions } from './embedded-captions.ts'
import { insertVideoOfUpload, moveUpload, videoExists } from './upload.queries.ts'

/** Stored with the upload until the video exists. */
export type Prepared = {
  videoFile: string | null
  posterFile: string | null
  /** Absent from older versions. */
  captions?: EmbeddedCaptions[]
  names?: string[]
  /** SHA-256 by name. Absent from older versions. */
  hashes?: Record<string, string>
  /** Undefined when not kept. */
  source?: MeasuredFile | undefined
  duration: number
  width: number
  height: number
  storageBytes: number
  /** Absent from older versions. */
  soundLanguage?: string | null
}

/** @returns video id and users to notify */
export async function publishUpload(
  db: DatabaseTransaction,
  input: { upload: UploadRow; prepared: Prepared; files: NewMediaFile[] },
): Promise<{ videoId: number; notified: number[] }> {
  const { upload, prepared, files } = input
  const ready = prepared.videoFile !== null
  const settings = await findSiteSettings(db)
  const { mediaKey, userId, title } = upload
  const owner = await findStanding(db, userId)
  const { contentApproved, withheld } = approvalOf(owner, settings)
  const imported = await findImportOfUpload(db, upload.id)
  const id = await findReservedId(db, upload)
  const videoId = await insertVideoOfUpload(db, {
    ...(id !== undefined && { id }),
    userId,
    uploadId: upload.id,
    mediaKey,
    title,
    description: upload.description,
    category: upload.category,
    tags: upload.tags,
    isAnonymous: upload.isAnonymous,
    videoUrl: prepared.videoFile && mediaUrl(mediaKey, prepared.videoFile),
    thumbnailUrl:
      upload.thumbnailUrl ?? (prepared.posterFile && mediaUrl(mediaKey, prepared.posterFile)),
    duration: prepared.duration,
    width: prepared.width,
    height: prepared.height,
    storageBytes: prepared.storageBytes,
    soundLanguage: prepared.soundLanguage ?? null,
    publishedAt: imported?.publishedAt ?? timestamp(),
    viewCount: imported?.viewCount ?? 0,
    contentApproved,
    withheld,
    visibility: levelOf(upload) ?? owner.defaultVisibility ?? settings.defaultVisibility,
    squadId: await findSquadOf(db, upload),
    discordEmbed: settings.discordEmbedByDefault ? 1 : 0,
    processingState: ready ? 'ready' : 'processing',
  })
  if (imported) {
    const change = { state: 'published', videoId } as const
    await updateImportedVideo(db, { id: imported.id, change })
  }
  await insertMediaFiles(db, { videoId, files })
  for (const one of prepared.captions ?? []) await insertCaptions(db, { videoId, ...one })
  if (prepared.source) await upsertFileHash(db, { mediaKey, ...prepared.source })
  await insertJob(db, { kind: ready ? 'ladder' : 'transcode', videoId })
  const change = { videoId, prepared: null }
  const isClaimed = await moveUpload(db, {
    ...{ id: upload.id, from: 'finalizing', to: 'completed', change },
  })
  // Another node completed it after this one lost its lock.
  if (!isClaimed) throw new AppError('conflict', 'This upload was changed meanwhile.')
  failpoint('complete.publishing')
  const isAnonymous: Flag = upload.isAnonymous
  const video = { id: videoId, userId, title, isAnonymous }
  const named = upload.replacesVideoId === null ? await namePlayers(db, { upload, video }) : []
  const isPublished = ready && contentApproved === 1
  if (!isPublished) return { videoId, notified: named }
  const replacedId = await replaceRecording(db, videoId)
  if (replacedId !== undefined) return { videoId: replacedId, notified: [userId] }
  return { videoId, notified: [...named, ...(await announceVideo(db, video))] }
}

/** A database that was moved or restored may have given it to another video. */
async function findReservedId(
  db: DatabaseTransaction,
  { reservedVideoId: id }: UploadRow,
): Promise<number | undefined> {
  if (id === null || (await videoExists(db, id))) return undefined
  return id
}

async function namePlayers(
  db: DatabaseTransaction,
  {
    upload,
    video,
  }: Pick<Parameters<typeof playersNamed.raise>[0], 'video'> & { upload: UploadRow },
): Promise<number[]> {
  const userIds = JSON.parse(upload.participants) as number[]
  return userIds.length === 0 ? [] : (await playersNamed.raise({ db, video, userIds })).flat()
}

async function findSquadOf(db: DatabaseTransaction, upload: UploadRow): Promise<number | null> {
  return upload.replacesVideoId === null ? findSquadForNew(db, upload) : null
}

/** A replacement is private until it takes over. */
function levelOf({ replacesVideoId, visibility }: UploadRow): UploadRow['visibility'] {
  return replacesVideoId === null ? visibility : 'private'
}
