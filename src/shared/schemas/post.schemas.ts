import { z } from 'zod'
import {
  idSchema,
  pageInputSchema,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { POST_MAX, POST_TOO_LONG } from '../limits.ts'
import { commentContentSchema, commentSortSchema } from './comment.schemas.ts'
import { likeSchema, videoSchema } from './video.schemas.ts'

/** A post on a channel's Community tab, or, with a `parentId`, a comment on it or a reply to such a comment. */
export const postSchema = z.object({
  id: z.int(),
  /** On whose channel it stands. */
  channelId: z.int(),
  /** Null when the account is gone. */
  userId: z.int().nullable(),
  parentId: z.int().nullable(),
  /** The comment that a reply hangs on. */
  topCommentId: z.int().nullable(),
  content: z.string(),
  likeCount: z.int(),
  dislikeCount: z.int(),
  myRating: likeSchema.nullable(),
  createdAt: timestampSchema,
  editedAt: timestampSchema.nullable(),
  withheld: z.enum(['held', 'hidden', 'banned']).nullable(),
  user: z
    .object({
      id: z.int(),
      username: z.string(),
      displayName: z.string(),
      avatarUrl: z.string().nullable(),
    })
    .nullable(),
  /** Comments on it that exist for the caller, with their replies; of a comment its replies. */
  commentCount: z.int(),
  /** The video it shows; null without one, and where the caller may not see it. */
  video: videoSchema.nullable(),
})
export type Post = z.infer<typeof postSchema>

/** A post, with the comment on it and the reply to that comment when one of these was asked for. */
export const postThreadSchema = z.object({
  post: postSchema,
  comment: postSchema.nullable(),
  reply: postSchema.nullable(),
})
export type PostThread = z.infer<typeof postThreadSchema>

const postContentSchema = textSchema
  .refine((content) => content.length > 0, { error: 'The post is empty.' })
  .refine((content) => content.length <= POST_MAX, { error: POST_TOO_LONG })

export const createPostSchema = z.object({
  content: postContentSchema,
  videoId: idSchema.nullish(),
})
export type CreatePost = z.infer<typeof createPostSchema>

/** `id` is the channel's, or that of the post or the comment whose comments or replies are asked for. */
export const listPostsSchema = pageInputSchema.extend({ id: idSchema })
/** `id` is the post's. */
export const listPostCommentsSchema = listPostsSchema.extend({
  sort: commentSortSchema.default('newest'),
})
/** `id` is that of the post, or of the comment that is answered. */
export const commentOnPostSchema = z.object({ id: idSchema, content: commentContentSchema })
/** How long a text may be depends on what `id` is. */
export const editPostSchema = z.object({
  id: idSchema,
  content: commentContentSchema,
  was: wasSchema(postSchema.pick({ content: true })),
})
export type EditPost = z.infer<typeof editPostSchema>
export const likePostSchema = z.object({ id: idSchema, like: likeSchema.nullable() })
export const postIdSchema = z.object({ id: idSchema })

/** A post, or a comment on one, that waits for review. */
export const heldPostSchema = z.object({
  id: z.int(),
  content: z.string(),
  createdAt: timestampSchema,
  channelId: z.int(),
  channelName: z.string(),
  isComment: z.boolean(),
  userId: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  memberSince: timestampSchema,
})
export type HeldPost = z.infer<typeof heldPostSchema>
