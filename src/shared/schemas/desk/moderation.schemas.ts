import { z } from 'zod'
import {
  idSchema,
  pageInputSchema,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../../field.schemas.ts'
import { editProfileSchema } from '../settings.schemas.ts'
import { editVideoSchema, videoSchema } from '../video.schemas.ts'
import { filterSchema } from './audit.schemas.ts'

const REPORT_REASON_MAX = 500
const reasonSchema = textSchema
  .refine((reason) => reason.length >= 3, { error: 'Please say in a few words why.' })
  .refine((reason) => reason.length <= REPORT_REASON_MAX, {
    error: `A reason has at most ${REPORT_REASON_MAX} characters.`,
  })

export const createReportSchema = z
  .object({
    videoId: idSchema.optional(),
    commentId: idSchema.optional(),
    channelId: idSchema.optional(),
    postId: idSchema.optional(),
    reason: reasonSchema,
  })
  .refine(
    ({ videoId, commentId, channelId, postId }) =>
      [videoId, commentId, channelId, postId].filter((id) => id !== undefined).length === 1,
    { error: 'Name a video, a comment, a channel or a post.' },
  )
export type CreateReport = z.infer<typeof createReportSchema>

const reportStateSchema = z.enum(['open', 'resolved', 'dismissed'])
export type ReportState = z.infer<typeof reportStateSchema>

const accusedSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  isAdmin: z.boolean(),
  isBanned: z.boolean(),
  warnings: z.int(),
})

export const reportSchema = z.object({
  id: z.int(),
  reporterName: z.string().nullable(),
  kind: z.enum(['video', 'comment', 'channel', 'post']),
  /** Text at the time of the report. */
  subject: z.string(),
  isGone: z.boolean(),
  videoId: z.int().nullable(),
  commentId: z.int().nullable(),
  channelId: z.int().nullable(),
  postId: z.int().nullable(),
  reason: z.string(),
  state: reportStateSchema,
  createdAt: timestampSchema,
  closedAt: timestampSchema.nullable(),
  closedByName: z.string().nullable(),
  /** Open reports of the same target, including this. */
  openCount: z.int(),
  video: z
    .object({
      id: z.int(),
      title: z.string(),
      thumbnailUrl: z.string().nullable(),
      isHidden: z.boolean(),
    })
    .nullable(),
  comment: z.object({ id: z.int(), content: z.string(), isHidden: z.boolean() }).nullable(),
  /** The clip that the comment is about. */
  clip: z.object({ id: z.int(), title: z.string() }).nullable(),
  /** The channel whose post the comment is about. */
  postChannel: z.object({ id: z.int(), displayName: z.string() }).nullable(),
  post: z.object({ id: z.int(), content: z.string(), isHidden: z.boolean() }).nullable(),
  /** Owner of the target; null for a deleted account. */
  accused: accusedSchema.nullable(),
})
export type Report = z.infer<typeof reportSchema>

export const listReportsSchema = pageInputSchema.extend({
  state: reportStateSchema.default('open'),
  q: filterSchema.optional(),
})

export const listQueueSchema = pageInputSchema.extend({ q: filterSchema.optional() })

export const heldCommentSchema = z.object({
  id: z.int(),
  content: z.string(),
  createdAt: timestampSchema,
  videoId: z.int().nullable(),
  videoTitle: z.string().nullable(),
  channelId: z.int().nullable(),
  channelName: z.string().nullable(),
  userId: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  memberSince: timestampSchema,
})
export type HeldComment = z.infer<typeof heldCommentSchema>

export const moderationInputSchema = z.object({ id: idSchema, reason: reasonSchema })
export const memberModerationInputSchema = z.object({ userId: idSchema, reason: reasonSchema })
export const banSchema = memberModerationInputSchema.extend({
  /** Deletes after 30 days what is otherwise only hidden. */
  deletesContent: z.boolean().default(false),
})
export const memberIdSchema = z.object({ userId: idSchema })

/** Omitted fields stay. */
export const editModeratedVideoSchema = editVideoSchema
  .pick({ id: true, title: true, description: true, category: true, tags: true })
  .extend({
    reason: reasonSchema,
    was: wasSchema(
      videoSchema.pick({ title: true, description: true, category: true, tags: true }),
    ),
  })
export type EditModeratedVideo = z.infer<typeof editModeratedVideoSchema>

export const banConsequencesSchema = z.object({
  isBanned: z.boolean(),
  isAdmin: z.boolean(),
  videos: z.int(),
  comments: z.int(),
  posts: z.int(),
  sessions: z.int(),
  apiTokens: z.int(),
  uploads: z.int(),
})
export type BanConsequences = z.infer<typeof banConsequencesSchema>

/** Omitted fields stay. */
export const editChannelSchema = editProfileSchema
  .pick({ displayName: true, bio: true, was: true })
  .extend({
    userId: idSchema,
    removesAvatar: z.boolean().default(false),
    removesBanner: z.boolean().default(false),
    reason: reasonSchema,
  })
export type EditChannel = z.infer<typeof editChannelSchema>
