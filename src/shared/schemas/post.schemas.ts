import { z } from 'zod'
import {
  idSchema,
  pageInputSchema,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { POST_MAX, POST_TOO_LONG } from '../limits.ts'
import { likeSchema, videoSchema } from './video.schemas.ts'

/** A post on a channel's Community tab. */
export const postSchema = z.object({
  id: z.int(),
  /** On whose channel it stands: only its owner posts there. */
  channelId: z.int(),
  content: z.string(),
  likeCount: z.int(),
  dislikeCount: z.int(),
  myRating: likeSchema.nullable(),
  createdAt: timestampSchema,
  editedAt: timestampSchema.nullable(),
  withheld: z.enum(['held', 'hidden', 'banned']).nullable(),
  user: z.object({
    id: z.int(),
    username: z.string(),
    displayName: z.string(),
    avatarUrl: z.string().nullable(),
  }),
  /** Comments on it and replies to them that the caller can reach. */
  commentCount: z.int(),
  /** The video it shows; null without one, and where the caller may not see it. */
  video: videoSchema.nullable(),
})
export type Post = z.infer<typeof postSchema>

const postContentSchema = textSchema
  .refine((content) => content.length > 0, { error: 'The post is empty.' })
  .refine((content) => content.length <= POST_MAX, { error: POST_TOO_LONG })

export const createPostSchema = z.object({
  content: postContentSchema,
  videoId: idSchema.nullish(),
})
export type CreatePost = z.infer<typeof createPostSchema>

/** `id` is the channel's. */
export const listPostsSchema = pageInputSchema.extend({ id: idSchema })
export const editPostSchema = z.object({
  id: idSchema,
  content: postContentSchema,
  was: wasSchema(postSchema.pick({ content: true })),
})
export type EditPost = z.infer<typeof editPostSchema>
export const likePostSchema = z.object({ id: idSchema, like: likeSchema.nullable() })
export const postIdSchema = z.object({ id: idSchema })

/** A post that waits for review. */
export const heldPostSchema = z.object({
  id: z.int(),
  content: z.string(),
  createdAt: timestampSchema,
  channelId: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  memberSince: timestampSchema,
})
export type HeldPost = z.infer<typeof heldPostSchema>
