import { z } from 'zod'
import {
  idSchema,
  pageInputSchema,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { POST_MAX, POST_TOO_LONG } from '../limits.ts'
import { clipSchema } from './clip.schemas.ts'
import { likeSchema, videoSchema } from './video.schemas.ts'

export const postSchema = z.object({
  id: z.int(),
  /** Id of the author, whose channel it is. */
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
  /** If set, only members of this squad, admins and the author see the post. */
  squad: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Visible to the caller, including replies. */
  commentCount: z.int(),
  /** Null if invisible to the caller. */
  video: videoSchema.nullable(),
  /** Null if invisible to the caller. */
  clip: clipSchema.nullable(),
})
export type Post = z.infer<typeof postSchema>

const postContentSchema = textSchema
  .refine((content) => content.length > 0, { error: 'The post is empty.' })
  .refine((content) => content.length <= POST_MAX, { error: POST_TOO_LONG })

export const createPostSchema = z
  .object({
    content: postContentSchema,
    videoId: idSchema.nullish(),
    /** A clip by any member that is sent to the squad. */
    clipId: idSchema.nullish(),
    /** If set, only members of this squad see the post. */
    squadId: idSchema.nullish(),
  })
  .refine(({ clipId, squadId }) => clipId == null || squadId != null, {
    error: 'A clip can be sent to a squad only.',
  })
export type CreatePost = z.infer<typeof createPostSchema>

export const listPostsSchema = pageInputSchema.extend({ id: idSchema })
export const editPostSchema = z.object({
  id: idSchema,
  content: postContentSchema,
  was: wasSchema(postSchema.pick({ content: true })),
})
export type EditPost = z.infer<typeof editPostSchema>
export const likePostSchema = z.object({ id: idSchema, like: likeSchema.nullable() })
export const postIdSchema = z.object({ id: idSchema })

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
