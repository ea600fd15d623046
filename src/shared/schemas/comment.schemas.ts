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
  /** Null on a post. */
  videoId: z.int().nullable(),
  /** Null for the whole video, and on a post. */
  clipId: z.int().nullable(),
  /** Null on a video or clip. */
  postId: z.int().nullable(),
  /** Null for a deleted account. */
  userId: z.int().nullable(),
  content: z.string(),
  likeCount: z.int(),
  dislikeCount: z.int(),
  parentId: z.int().nullable(),
  createdAt: timestampSchema,
  editedAt: timestampSchema.nullable(),
  isPinned: z.boolean(),
  isHearted: z.boolean(),
  /** Visible to admins, and to the author if `held`. */
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

/** Top comments in lists have 10 to 50 of their first replies, oldest first. */
export const commentSchema = z.object({
  ...commentFields,
  replies: z.array(replySchema).optional(),
  replyCount: z.int().optional(),
  nextReplyCursor: z.string().nullable().optional(),
})
export type Comment = z.infer<typeof commentSchema>

export const commentContentSchema = textSchema
  .refine((content) => content.length > 0, { error: 'The comment is empty.' })
  .refine((content) => content.length <= COMMENT_MAX, {
    error: `A comment has at most ${COMMENT_MAX} characters.`,
  })

export type CommentPlace = {
  videoId?: number | null | undefined
  clipId?: number | null | undefined
  postId?: number | null | undefined
}

const onePlaceError = { error: 'Name either a video or a post.' }
const isOnePlace = (video: number | null | undefined, { postId, clipId }: CommentPlace) =>
  (video == null) !== (postId == null) && (clipId == null || postId == null)

/** `id` is the video's, also with `clipId`. */
const commentsOnFields = {
  id: idSchema.nullish(),
  clipId: idSchema.nullish(),
  postId: idSchema.nullish(),
}
export const commentsOnSchema = z
  .object(commentsOnFields)
  .refine(({ id, ...rest }) => isOnePlace(id, rest), onePlaceError)
export type CommentsOn = z.infer<typeof commentsOnSchema>

/** `best`: likes less dislikes. */
export const commentSortSchema = z.enum(['newest', 'best'])
export type CommentSort = z.infer<typeof commentSortSchema>

export const listCommentsSchema = pageInputSchema
  .extend({ ...commentsOnFields, sort: commentSortSchema.default('newest') })
  .refine(({ id, ...rest }) => isOnePlace(id, rest), onePlaceError)

export const newCommentsSchema = z
  .object({ ...commentsOnFields, after: z.int().min(0) })
  .refine(({ id, ...rest }) => isOnePlace(id, rest), onePlaceError)

export const listRepliesSchema = pageInputSchema.extend({ id: idSchema })

export const createCommentSchema = z
  .object({
    videoId: idSchema.nullish(),
    clipId: idSchema.nullish(),
    postId: idSchema.nullish(),
    content: commentContentSchema,
    parentId: idSchema.nullish(),
    userId: idSchema.nullish(),
  })
  .refine(({ videoId, ...rest }) => isOnePlace(videoId, rest), onePlaceError)
export type CreateComment = z.infer<typeof createCommentSchema>

export const editCommentSchema = z.object({
  id: idSchema,
  content: commentContentSchema,
  was: wasSchema(replySchema.pick({ content: true })),
})
export type EditComment = z.infer<typeof editCommentSchema>
export const commentIdSchema = z.object({ id: idSchema })
