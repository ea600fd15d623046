/**
 * Raised inside the transaction of the act, with its connection as `db`. Listeners answer the members
 * to wake through the live feed once that transaction is committed.
 */
import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Flag } from '#server/platform/db/tables/column.ts'
import { createEvent } from '#server/platform/events/event.ts'
import type { MoveTime } from '#shared/cut-times.ts'
import type { VideoExpiry } from '#shared/schemas/video.schemas.ts'

type VideoAct<Details = object> = { db: DatabaseTransaction } & Details

/** A video was published. */
export const videoPublished = createEvent<
  VideoAct<{ video: { id: number; title: string; userId: number; isAnonymous: Flag } }>,
  number[]
>()

/** A video was made, and its owner had said who played along. */
export const playersNamed = createEvent<
  VideoAct<{
    video: { id: number; title: string; userId: number; isAnonymous: Flag }
    userIds: number[]
  }>,
  number[]
>()

/** Parts of a video's recording were taken out, or brought back: what points into it is to move along. */
export const recordingCut =
  createEvent<VideoAct<{ videoId: number; move: MoveTime; maxSeconds: number }>>()

/** A video got another recording, whose times have nothing to do with those of the one before. */
export const recordingReplaced = createEvent<VideoAct<{ videoId: number }>>()

/** A video's owner chose that no list has it. */
export const videoUnlisted = createEvent<VideoAct<{ videoId: number }>, number[]>()

/** A private video's owner named others who may see it. */
export const videoShared = createEvent<
  VideoAct<{
    video: { id: number; title: string; isAnonymous: Flag }
    owner: { id: number; displayName: string }
    added: number[]
    removed: number[]
  }>,
  number[]
>()

/** A video will go private or be deleted within a week, as its owner wished. */
export const videoExpiresSoon = createEvent<
  VideoAct<{ video: { id: number; title: string; userId: number }; expiry: VideoExpiry }>,
  number[]
>()

/** A video's owner chose to be anonymous. */
export const videoAnonymized = createEvent<VideoAct<{ videoId: number }>, number[]>()

/** An admin deleted a member's video and gave a reason. */
export const videoDeletedByAdmin = createEvent<
  VideoAct<{ video: { title: string; userId: number }; adminId: number; reason: string }>,
  number[]
>()
