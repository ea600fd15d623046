import { estimateClipFiles, requireRoom } from '#server/account/room/room.service.ts'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
} from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import {
  CLIP_FILE_SECONDS_MAX,
  CLIP_SECONDS_MAX,
  CLIP_SECONDS_MIN,
  CLIPS_PER_DAY,
} from '#shared/limits.ts'
import type { Clip, ClipsAround, CreateClip, UpdateClip } from '#shared/schemas/clip.schemas.ts'
import { storeLike } from '../like/like.queries.ts'
import { listFilesByName } from '../media/media-file.queries.ts'
import { removeRetiredFile } from '../media/media-folder.ts'
import { withFolderLock } from '../video/folder-lock.ts'
import { NO_SUCH_VIDEO } from '../video/video.service.ts'
import { canChangeRange, canEditClip } from './clip.access.ts'
import { clipMade } from './clip.events.ts'
import {
  deleteClip,
  findClip,
  findClipOwner,
  findClippedVideo,
  hasClipsSince,
  insertClip,
  updateClip,
} from './clip.queries.ts'
import { findOwnClipFiles, retireFilesOfClip, wantFile } from './clip-files.queries.ts'
import { listClipsOfEvening, listClipsOfGame } from './clips-around.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'jobs'>
type Room = Awaited<ReturnType<typeof measureRoom>>
type Asking = { id: number; viewer: Viewer | undefined }

export const NO_SUCH_CLIP = 'There is no such clip. It may have been deleted with its video.'

/** Stored lengths are whole seconds. */
const ROUNDING_SECONDS = 0.5
const DAY_MS = 24 * 60 * 60 * 1000

export async function requireClip(db: Database, input: Asking): Promise<Clip> {
  const clip = await findClip(db, input)
  if (!clip) throw new AppError('not-found', NO_SUCH_CLIP)
  return clip
}

export async function listClipsAround(db: Database, input: Asking): Promise<ClipsAround> {
  const { video } = await requireClip(db, input)
  const around = { video, viewer: input.viewer }
  const evening = await listClipsOfEvening(db, around)
  const shown = new Set(evening.map(({ id }) => id))
  const game = (await listClipsOfGame(db, around)).filter(({ id }) => !shown.has(id))
  return { evening, game }
}

export async function requireClipOwner(db: Database, input: Asking) {
  const clip = await findClipOwner(db, input)
  if (!clip) throw new AppError('not-found', NO_SUCH_CLIP)
  return clip
}

/**
 * A short clip also gets a file, if quota allows.
 * @throws `forbidden` where the owner allows no clips, `conflict` before it plays or during
 * replacement, `invalid` range, `too-many` beyond `CLIPS_PER_DAY`. See
 * docs/decisions/0035-clips-are-rows.md.
 */
export async function createClip(
  deps: Deps,
  input: CreateClip & { viewer: Viewer },
): Promise<Clip> {
  const { db, jobs } = deps
  const { viewer, ...chosen } = input
  const room = await measureRoom(deps)
  const id = await inTransaction(db, async (transaction) => {
    await requireClippable(transaction, { ...chosen, viewer })
    await requireFewClips(transaction, viewer)
    const clip = { ...chosen, userId: viewer.id, fileState: 'none' as const }
    const clipId = await insertClip(transaction, clip)
    if (getsFile(chosen)) await wantFileIfRoom(transaction, { ...clip, id: clipId, ...room })
    await clipMade.raise({ db: transaction, clipId })
    return clipId
  })
  jobs.wake()
  return requireClip(db, { id, viewer })
}

/**
 * Creates a clip from the part of an imported video that its owner chose in the other program. It notifies nobody, and
 * `CLIPS_PER_DAY` does not apply. The clip gets a file if the video already plays.
 * @throws `invalid` range, `not-found`
 */
export async function importClip(
  db: DatabaseTransaction,
  input: Omit<CreateClip, 'endSeconds'> & {
    /** Null stands for the end of the video. */
    endSeconds: number | null
    viewer: Viewer
    createdAt: string
    room: Room
  },
): Promise<void> {
  const { viewer, room, ...chosen } = input
  const video = await findClippedVideo(db, { id: chosen.videoId, viewer })
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  const range = {
    startSeconds: roundToMs(chosen.startSeconds),
    endSeconds: roundToMs(Math.min(chosen.endSeconds ?? video.duration, video.duration)),
  }
  requireRange(range, video.duration)
  const clip = { ...chosen, ...range, userId: viewer.id, fileState: 'none' as const }
  const id = await insertClip(db, clip)
  if (video.processingState !== 'ready' || !getsFile(range)) return
  await wantFileIfRoom(db, { ...clip, id, ...room })
}

/** @throws as `createClip` */
export async function editClip(deps: Deps, input: UpdateClip & { viewer: Viewer }): Promise<Clip> {
  const { db, jobs } = deps
  const { id, viewer, title, startSeconds, endSeconds, was } = input
  const movesEnds = startSeconds !== undefined || endSeconds !== undefined
  const room = await measureRoom(deps)
  const { clip, names } = await inTransaction(db, async (transaction) => {
    const clip = await requireClipOwner(transaction, input)
    const isAllowed = movesEnds ? canChangeRange(clip, viewer) : canEditClip(clip, viewer)
    if (!isAllowed) throw new AppError('forbidden', 'Only whoever made this clip can change it.')
    requireUnchanged({ now: clip, wish: { title, startSeconds, endSeconds }, was })
    const range = {
      startSeconds: startSeconds ?? clip.startSeconds,
      endSeconds: endSeconds ?? clip.endSeconds,
    }
    if (movesEnds) await requireClippable(transaction, { ...range, videoId: clip.videoId, viewer })
    const change = {
      ...(title !== undefined && { title }),
      ...(movesEnds && {
        ...range,
        fileState: 'none' as const,
        shareFile: null,
        pictureFile: null,
      }),
    }
    if (Object.keys(change).length > 0) await updateClip(transaction, { id, change })
    if (!movesEnds) return { clip, names: [] }
    const names = await retireFilesOfClip(transaction, clip)
    const freed = await listFilesByName(transaction, { videoId: clip.videoId, names })
    if (getsFile(range)) await wantFileIfRoom(transaction, { ...clip, ...room, freed })
    return { clip, names }
  })
  await removeFiles(deps, { clip, names })
  jobs.wake()
  return requireClip(db, { id, viewer })
}

/** @throws `forbidden` for others than maker, video owner and admins */
export async function removeClip(
  deps: Pick<Deps, 'config' | 'db' | 'media'>,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const { id, viewer } = input
  const { db } = deps
  const clip = await requireClipOwner(db, input)
  if (!canEditClip(clip, viewer)) {
    throw new AppError('forbidden', 'Only whoever made this clip can delete it.')
  }
  const retired = await inTransaction(db, async (transaction) => {
    await deleteClip(transaction, id)
    if (clip.userId !== viewer.id && clip.ownerId !== viewer.id) {
      const target = { kind: 'clip', id, name: clip.title } as const
      await insertAuditEntry(transaction, { actor: viewer, action: 'clip.delete', target })
    }
    return retireFilesOfClip(transaction, clip)
  })
  await removeFiles(deps, { clip, names: retired })
}

/**
 * @returns false when it exists
 * @throws `too-large`, `no-space`
 */
export async function makeClipFile(
  deps: Deps,
  input: { id: number; viewer: Viewer },
): Promise<{ isFileComing: boolean }> {
  const room = await measureRoom(deps)
  const isFileComing = await inTransaction(deps.db, async (transaction) => {
    const clip = await requireClipOwner(transaction, input)
    if (clip.fileState === 'made') return false
    if (clip.fileState !== 'wanted') await requireRoomForFiles(transaction, { ...clip, ...room })
    await wantFile(transaction, clip)
    return true
  })
  deps.jobs.wake()
  return { isFileComing }
}

/** @throws `not-found` for another member's clip */
export async function removeClipFile(
  deps: Pick<Deps, 'config' | 'db' | 'media'>,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<void> {
  const clip = await findOwnClipFiles(deps.db, { id, userId: viewer.id })
  if (!clip) throw new AppError('not-found', NO_SUCH_CLIP)
  const change = { fileState: 'none' as const, shareFile: null, pictureFile: null }
  const names = await inTransaction(deps.db, async (transaction) => {
    await updateClip(transaction, { id, change })
    return retireFilesOfClip(transaction, clip)
  })
  await removeFiles(deps, { clip, names })
}

type FilesToCome = { id: number; videoId: number; userId: number } & Room & {
    freed?: { bytes: number | null }[]
  }

export async function measureRoom({ config, disk }: Pick<Deps, 'config' | 'disk'>) {
  return { config, freeBytes: await disk.freeBytes() }
}

/** @throws `too-large`, `no-space` */
async function requireRoomForFiles(db: DatabaseTransaction, clip: FilesToCome): Promise<void> {
  const freed = (clip.freed ?? []).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
  const bytes = (await estimateClipFiles(db, clip.id)) - freed
  await requireRoom(db, { ...clip, bytes })
}

async function wantFileIfRoom(db: DatabaseTransaction, clip: FilesToCome): Promise<void> {
  try {
    await requireRoomForFiles(db, clip)
  } catch (error) {
    if (error instanceof AppError && ['too-large', 'no-space'].includes(error.kind)) return
    throw error
  }
  await wantFile(db, clip)
}

export async function likeClip(
  { db, live }: Pick<AppDeps, 'db' | 'live'>,
  input: { id: number; isLiked: boolean; viewer: Viewer },
) {
  const like = input.isLiked ? 'like' : null
  const { clip, isNew } = await inTransaction(db, async (transaction) => {
    const { id } = await requireClipOwner(transaction, input)
    const key = { kind: 'clip', id, userId: input.viewer.id } as const
    const isNew = await storeLike(transaction, { ...key, like })
    return { clip: await requireClip(transaction, input), isNew }
  })
  if (isNew) live.videos.announce(clip.videoId, 'clip-likes')
  return { likeCount: clip.likeCount, isLiked: clip.isLiked }
}

/** @throws `too-many` */
async function requireFewClips(db: Database, viewer: Viewer): Promise<void> {
  const time = new Date(Date.now() - DAY_MS)
  if (!(await hasClipsSince(db, { userId: viewer.id, count: CLIPS_PER_DAY, time }))) return
  const sentence = `You made ${CLIPS_PER_DAY} clips in the last 24 hours, which is the most for a day. Make more later.`
  throw new AppError('too-many', sentence)
}

/** @throws as `createClip` */
async function requireClippable(
  db: Database,
  input: { videoId: number; startSeconds: number; endSeconds: number; viewer: Viewer },
): Promise<void> {
  const { videoId, startSeconds, endSeconds, viewer } = input
  const video = await findClippedVideo(db, { id: videoId, viewer })
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  if (video.allowsClips === 0 && video.userId !== viewer.id) {
    throw new AppError('forbidden', 'The owner of this video does not want clips of it.')
  }
  if (video.processingState !== 'ready' || video.videoFileExists === 0) {
    throw new AppError('conflict', 'This video does not play yet, so there is nothing to clip.')
  }
  if (video.isBeingReplaced === 1) {
    throw new AppError('conflict', 'This video is being replaced. Make the clip when that is done.')
  }
  requireRange({ startSeconds, endSeconds }, video.duration)
}

function requireRange(
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
  duration: number,
): void {
  if (endSeconds <= startSeconds) {
    throw new AppError('invalid', 'The clip ends before it starts.')
  }
  if (endSeconds > duration + ROUNDING_SECONDS) {
    throw new AppError('invalid', 'The clip goes beyond the end of the video.')
  }
  const seconds = endSeconds - startSeconds
  // Both ends are rounded.
  if (seconds < CLIP_SECONDS_MIN - 0.001 || seconds > CLIP_SECONDS_MAX + 0.001) {
    throw new AppError(
      'invalid',
      `A clip is ${CLIP_SECONDS_MIN} to ${CLIP_SECONDS_MAX} seconds long.`,
    )
  }
}

const roundToMs = (seconds: number) => Math.max(0, Math.round(seconds * 1000) / 1000)

function getsFile(range: { startSeconds: number; endSeconds: number }): boolean {
  return range.endSeconds - range.startSeconds <= CLIP_FILE_SECONDS_MAX
}

/** During a backup the janitor does. */
async function removeFiles(
  deps: Pick<Deps, 'config' | 'db' | 'media'>,
  { clip, names }: { clip: { videoId: number; mediaKey: string }; names: string[] },
): Promise<void> {
  const { videoId, mediaKey } = clip
  await withFolderLock(deps.db, mediaKey, async () => {
    for (const file of await listFilesByName(deps.db, { videoId, names })) {
      await removeRetiredFile(deps, { ...file, videoId, mediaKey })
    }
  })
}
