import { z } from 'zod'
import { idSchema, pageInputSchema, timestampSchema } from './field.schemas.ts'
import { ratingSchema } from './video.schemas.ts'

const ratingTarget = {
  videoId: idSchema.nullish(),
  commentId: idSchema.nullish(),
  userId: idSchema.nullish(),
}
const oneTarget = (input: { videoId?: unknown; commentId?: unknown }) =>
  (input.videoId == null) !== (input.commentId == null)
const oneTargetError = { error: 'Name either a video or a comment.' }

export const rateSchema = z
  .object({ ...ratingTarget, isLike: z.boolean() })
  .refine(oneTarget, oneTargetError)
export type Rate = z.infer<typeof rateSchema>

export const clearRatingSchema = z.object(ratingTarget).refine(oneTarget, oneTargetError)
export type ClearRating = z.infer<typeof clearRatingSchema>

export const ratingCountsSchema = z.object({
  likeCount: z.int(),
  dislikeCount: z.int(),
  myRating: ratingSchema.nullable(),
})
export type RatingCounts = z.infer<typeof ratingCountsSchema>

export const subscribeSchema = z.object({ channelId: idSchema, subscriberId: idSchema.nullish() })
export type Subscribe = z.infer<typeof subscribeSchema>

export const subscriptionSchema = z.object({
  id: z.int(),
  subscriberId: z.int(),
  channelId: z.int(),
  subscribedAt: timestampSchema,
  /** False when the subscription was there before. */
  isNew: z.boolean(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

export const notificationTypeSchema = z.enum([
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
  read: z.boolean(),
  createdAt: timestampSchema,
  sourceUser: z
    .object({ id: z.int(), displayName: z.string(), avatarUrl: z.string().nullable() })
    .nullable(),
})
export type Notification = z.infer<typeof notificationSchema>

export const listNotificationsSchema = pageInputSchema.extend({ userId: idSchema.optional() })
export const notificationIdSchema = z.object({ id: idSchema })
