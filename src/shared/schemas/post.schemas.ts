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

/** With a `parentId`, a comment on a post or a reply. */
export const postSchema = z.object({
  id: z.int(),
  channelId: z.int(),
  /** Null for a deleted account. */
  userId: z.int().nullable(),
  parentId: z.int().nullable(),
  /** The comment replied to. */
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
  /** Visible to the caller, including replies. */
  commentCount: z.int(),
  /** Null if invisible to the caller. */
  video: videoSchema.nullable(),
})
export type Post = z.infer<typeof postSchema>

/** Contains the requested comment and reply. */
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

/** Channel, post or comment id. */
export const listPostsSchema = pageInputSchema.extend({ id: idSchema })
/** Post id. */
export const listPostCommentsSchema = listPostsSchema.extend({
  sort: commentSortSchema.default('newest'),
})
/** Post or comment id. */
export const commentOnPostSchema = z.object({ id: idSchema, content: commentContentSchema })
/** The length limit depends on the kind. */
export const editPostSchema = z.object({
  id: idSchema,
  content: commentContentSchema,
  was: wasSchema(postSchema.pick({ content: true })),
})
export type EditPost = z.infer<typeof editPostSchema>
export const likePostSchema = z.object({ id: idSchema, like: likeSchema.nullable() })
export const postIdSchema = z.object({ id: idSchema })

/** Also for comments on posts. */
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
