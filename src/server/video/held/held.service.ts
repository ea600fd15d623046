import { findHolder } from '#server/account/room/room.queries.ts'
import { removePicture } from '#server/account/settings/settings.service.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { CUT_KEPT_DAYS, HELD_ITEMS_SHOWN } from '#shared/limits.ts'
import type {
  DeleteHeld,
  EmptiedPart,
  HeldItem,
  HeldPartName,
} from '#shared/schemas/held.schemas.ts'
import { removeClipFile } from '../clip/clip.service.ts'
import { deletePreviousRecording } from '../cut/cut.service.ts'
import { retireFiles } from '../media/media-folder.ts'
import { cancelUpload } from '../upload/upload.service.ts'
import { NO_SUCH_VIDEO } from '../video/video.service.ts'
import { deleteVideo } from '../video/video-deletion.ts'
import {
  findOwnFolder,
  listHeldClips,
  listHeldFiles,
  listHeldPreviousRecordings,
  listHeldUploads,
  listHeldVideos,
  retireHeldFiles,
} from './held.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'jobs' | 'live' | 'deadline'>
type Own = { viewer: Viewer }
type OneOf = Own & { id: string }

const DAY_MS = 24 * 60 * 60 * 1000
const AT_A_TIME = 20

const KINDS = { posters: 'picture', captions: 'captions', shares: 'share' } as const

export async function listHeld(
  db: Database,
  { part, viewer, limit = HELD_ITEMS_SHOWN }: Own & { part: HeldPartName; limit?: number },
): Promise<HeldItem[]> {
  const input = { userId: viewer.id, limit }
  switch (part) {
    case 'videos':
      return listHeldVideos(db, input)
    case 'posters':
    case 'captions':
    case 'shares':
      return listHeldFiles(db, { ...input, kind: KINDS[part] })
    case 'parked':
      return (await listHeldPreviousRecordings(db, input)).map(({ parkedAt, ...item }) => ({
        ...item,
        until: new Date(Date.parse(parkedAt) + CUT_KEPT_DAYS * DAY_MS).toISOString(),
      }))
    case 'clips':
      return listHeldClips(db, input)
    case 'uploads':
      return listHeldUploads(db, input)
    case 'channel':
      return listChannelPictures(db, viewer)
    case 'deleting':
      return []
  }
}

async function listChannelPictures(db: Database, { id }: Viewer): Promise<HeldItem[]> {
  const holder = await findHolder(db, id)
  return [
    { id: 'avatar', title: 'Avatar', bytes: holder?.avatarBytes ?? 0, until: null },
    { id: 'banner', title: 'Banner', bytes: holder?.bannerBytes ?? 0, until: null },
  ].filter(({ bytes }) => bytes > 0)
}

/** @throws `not-found`, and what the deletion throws */
export async function deleteHeld(deps: Deps, { part, ...input }: DeleteHeld & Own): Promise<void> {
  const { viewer } = input
  switch (part) {
    case 'videos': {
      const id = (await requireOwnFolder(deps, input)).id
      return deleteVideo(deps, { id, viewer })
    }
    case 'posters':
    case 'captions':
    case 'shares': {
      const video = await requireOwnFolder(deps, input)
      const kind = KINDS[part]
      return retireFiles(deps, {
        video,
        retire: (transaction) => retireHeldFiles(transaction, { videoId: video.id, kind }),
        kinds: [kind],
      })
    }
    case 'parked':
      return deletePreviousRecording(deps, {
        videoId: (await requireOwnFolder(deps, input)).id,
        viewer,
      })
    case 'clips':
      return removeClipFile(deps, { id: Number(input.id) || 0, viewer })
    case 'uploads':
      return cancelUpload(deps, { uploadId: input.id, viewer })
    case 'channel': {
      const kind = (['avatar', 'banner'] as const).find((name) => name === input.id)
      if (!kind) throw new AppError('not-found', 'There is no such picture.')
      return removePicture(deps, { kind, viewer })
    }
  }
}

async function requireOwnFolder({ db }: Pick<Deps, 'db'>, { id, viewer }: OneOf) {
  const video = await findOwnFolder(db, { id: Number(id) || 0, userId: viewer.id })
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  return video
}

/** A batch; call again until none is left. */
export async function emptyHeld(
  deps: Deps,
  { part, viewer }: Own & { part: EmptiedPart },
): Promise<{ deleted: number; hasMore: boolean }> {
  const items = await listHeld(deps.db, { part, viewer, limit: AT_A_TIME + 1 })
  const now = items.slice(0, AT_A_TIME)
  for (const { id } of now) {
    await deleteHeld(deps, { part, id, viewer }).catch((error) => {
      // Deleted meanwhile.
      if (!(error instanceof AppError && ['not-found', 'conflict'].includes(error.kind)))
        throw error
    })
  }
  return { deleted: now.length, hasMore: items.length > now.length }
}
