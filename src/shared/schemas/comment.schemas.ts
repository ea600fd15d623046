import { z } from 'zod'
import {
  idSchema,
  pageInputSchema,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { COMMENT_MAX } from '../limits.ts'
import { likeSchema } from './video.schemas.ts'

const commentFields = {
  id: z.int(),
  videoId: z.int(),
  /** The clip of the video that it is about; null when about the whole video. */
  clipId: z.int().nullable(),
  /** Null when the account is gone. */
  userId: z.int().nullable(),
  content: z.string(),
  likeCount: z.int(),
  dislikeCount: z.int(),
  parentId: z.int().nullable(),
  createdAt: timestampSchema,
  /** When its author last changed it. */
  editedAt: timestampSchema.nullable(),
  /** The video's owner put it on top. */
  isPinned: z.boolean(),
  /** The video's owner gave it a heart. */
  isHearted: z.boolean(),
  /** Why others do not see it: only its author (`held`) and admins know. */
  withheld: z.enum(['held', 'hidden', 'banned']).nullable(),
  user: z
    .object({
      id: z.int(),
      username: z.string(),
      displayName: z.string(),
      avatarUrl: z.string().nullable(),
    })
    .nullable(),
  myRating: likeSchema.nullable(),
}

export const replySchema = z.object(commentFields)
export type Reply = z.infer<typeof replySchema>

/** A comment; a top one in a list carries its first replies, oldest first: at least 10, at most 50. */
export const commentSchema = z.object({
  ...commentFields,
  replies: z.array(replySchema).optional(),
  /** How many replies there are in all. */
  replyCount: z.int().optional(),
  /** Where the replies begin that did not come along; null when all did. */
  nextReplyCursor: z.string().nullable().optional(),
})
export type Comment = z.infer<typeof commentSchema>

export const commentContentSchema = textSchema
  .refine((content) => content.length > 0, { error: 'The comment is empty.' })
  .refine((content) => content.length <= COMMENT_MAX, {
    error: `A comment has at most ${COMMENT_MAX} characters.`,
  })

/** `id` is the video's; with `clipId`, what is said about that clip of it. */
export const countCommentsSchema = z.object({ id: idSchema, clipId: idSchema.nullish() })

/** The newest first, or the most likes less dislikes first. */
export const commentSortSchema = z.enum(['newest', 'best'])
export type CommentSort = z.infer<typeof commentSortSchema>

export const listCommentsSchema = pageInputSchema.extend({
  ...countCommentsSchema.shape,
  sort: commentSortSchema.default('newest'),
})

/** `id` is the comment's. */
export const listRepliesSchema = pageInputSchema.extend({ id: idSchema })

export const createCommentSchema = z.object({
  videoId: idSchema,
  clipId: idSchema.nullish(),
  content: commentContentSchema,
  parentId: idSchema.nullish(),
  userId: idSchema.nullish(),
})
export type CreateComment = z.infer<typeof createCommentSchema>

export const editCommentSchema = z.object({
  id: idSchema,
  content: commentContentSchema,
  was: wasSchema(replySchema.pick({ content: true })),
})
export type EditComment = z.infer<typeof editCommentSchema>
export const commentIdSchema = z.object({ id: idSchema })
