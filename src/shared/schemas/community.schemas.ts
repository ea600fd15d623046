import { z } from 'zod'
import { idSchema, pageInputSchema, timestampSchema } from '../field.schemas.ts'
import {
  NOTIFICATION_FILTERS,
  NOTIFICATION_KINDS,
  NOTIFICATION_PLACES,
} from '../notification-kinds.ts'
import { likeSchema } from './video.schemas.ts'
import { namedMemberSchema } from './visibility.schemas.ts'

const likeTarget = {
  videoId: idSchema.nullish(),
  commentId: idSchema.nullish(),
  userId: idSchema.nullish(),
}
const oneTarget = (input: { videoId?: unknown; commentId?: unknown }) =>
  (input.videoId == null) !== (input.commentId == null)
const oneTargetError = { error: 'Name either a video or a comment.' }

export const setLikeSchema = z
  .object({ ...likeTarget, isLike: z.boolean() })
  .refine(oneTarget, oneTargetError)

export const clearLikeSchema = z.object(likeTarget).refine(oneTarget, oneTargetError)
export type ClearLike = z.infer<typeof clearLikeSchema>

export const likeCountsSchema = z.object({
  likeCount: z.int(),
  dislikeCount: z.int(),
  myRating: likeSchema.nullable(),
})
export type LikeCounts = z.infer<typeof likeCountsSchema>

export const subscribeSchema = z.object({ channelId: idSchema, subscriberId: idSchema.nullish() })
export type Subscribe = z.infer<typeof subscribeSchema>

export const subscriptionSchema = z.object({
  id: z.int(),
  subscriberId: z.int(),
  channelId: z.int(),
  subscribedAt: timestampSchema,
  /** False when already subscribed. */
  isNew: z.boolean(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

const notificationTypeSchema = z.enum([
  'comment',
  'comment_reply',
  'video_comment',
  'subscription',
  'new_subscriber',
  'upload',
  'like',
])

export const notificationSchema = z.object({
  id: z.int(),
  userId: z.int(),
  type: notificationTypeSchema,
  title: z.string(),
  message: z.string(),
  sourceUserId: z.int().nullable(),
  videoId: z.int().nullable(),
  commentId: z.int().nullable(),
  clipId: z.int().nullable(),
  postId: z.int().nullable(),
  postChannelId: z.int().nullable(),
  squadId: z.int().nullable(),
  videoThumbnailUrl: z.string().nullable(),
  read: z.boolean(),
  createdAt: timestampSchema,
  sourceUser: z
    .object({ id: z.int(), displayName: z.string(), avatarUrl: z.string().nullable() })
    .nullable(),
  /**
   * Notifications with the same key are shown in one line, which consists of names and the text.
   * The numbers count the whole group.
   */
  group: z
    .object({
      key: z.string(),
      text: z.string(),
      size: z.int(),
      unread: z.int(),
      people: z.int(),
    })
    .nullable(),
})
export type Notification = z.infer<typeof notificationSchema>

export const listNotificationsSchema = pageInputSchema.extend({ userId: idSchema.optional() })
export const browseNotificationsSchema = pageInputSchema.extend({
  filter: z.enum(NOTIFICATION_FILTERS).default('all'),
})
export const chooseNotificationsSchema = z.object({
  kind: z.enum(NOTIFICATION_KINDS),
  place: z.enum(NOTIFICATION_PLACES),
})
export const notificationChoicesSchema = z.object({
  places: z.record(z.enum(NOTIFICATION_KINDS), z.enum(NOTIFICATION_PLACES)),
})
export const notificationIdSchema = z.object({ id: idSchema })

export const participantSchema = namedMemberSchema
export type Participant = z.infer<typeof participantSchema>

export const nameParticipantSchema = z.object({ videoId: idSchema, userId: idSchema })

export const listAppearancesSchema = pageInputSchema.extend({ id: idSchema })
