/** Listeners run in the transaction `db` and return whom to notify after the commit. */
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { createEvent } from '#server/platform/events/event.ts'
import type { MoveTime } from '#shared/cut-times.ts'
import type { VideoExpiry } from '#shared/schemas/video.schemas.ts'

type VideoAct<Details = object> = { db: DatabaseTransaction } & Details

/** `isAnew`: others than before are told, also if it was published before. */
export const videoPublished = createEvent<
  VideoAct<{
    video: { id: number; title: string; userId: number; isAnonymous: Flag }
    isAnew?: boolean
  }>,
  number[]
>()

export const playersNamed = createEvent<
  VideoAct<{
    video: { id: number; title: string; userId: number; isAnonymous: Flag }
    userIds: number[]
  }>,
  number[]
>()

export const recordingCut =
  createEvent<VideoAct<{ videoId: number; move: MoveTime; maxSeconds: number }>>()

/** Times of the old recording mean nothing in the new one. */
export const recordingReplaced = createEvent<VideoAct<{ videoId: number }>>()

export const videoUnlisted = createEvent<VideoAct<{ videoId: number }>, number[]>()

export const videoShared = createEvent<
  VideoAct<{
    video: { id: number; title: string; isAnonymous: Flag }
    owner: { id: number; displayName: string }
    added: number[]
    removed: number[]
  }>,
  number[]
>()

/** Within a week, by the owner's choice. */
export const videoExpiresSoon = createEvent<
  VideoAct<{ video: { id: number; title: string; userId: number }; expiry: VideoExpiry }>,
  number[]
>()

export const videoAnonymized = createEvent<VideoAct<{ videoId: number }>, number[]>()

export const videoDeletedByAdmin = createEvent<
  VideoAct<{ video: { title: string; userId: number }; adminId: number; reason: string }>,
  number[]
>()
