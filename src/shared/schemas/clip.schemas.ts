import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  pageInputSchema,
  pageSchema,
  queryLineSchema,
  ruleCheck,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { titleRule } from '../field-rules.ts'
import { SEARCH_QUERY_MAX } from '../limits.ts'
import { videoSchema } from './video.schemas.ts'

export const clipSchema = z.object({
  id: z.int(),
  videoId: z.int(),
  title: z.string(),
  /** In the video, to the millisecond. */
  startSeconds: z.number(),
  endSeconds: z.number(),
  createdAt: timestampSchema,
  viewCount: z.int(),
  likeCount: z.int(),
  commentCount: z.int(),
  isLiked: z.boolean(),
  /** Null if it would reveal an anonymous owner. */
  maker: z
    .object({
      id: z.int(),
      username: z.string(),
      displayName: z.string(),
      avatarUrl: z.string().nullable(),
    })
    .nullable(),
  /** JPEG or WebP, its own or the video's. */
  pictureUrl: z.string().nullable(),
  /** MP4 for chat programs; made at once for clips up to a minute. */
  shareUrl: z.string().nullable(),
  isFileComing: z.boolean(),
  canEdit: z.boolean(),
  canChangeRange: z.boolean(),
  video: videoSchema,
})
export type Clip = z.infer<typeof clipSchema>

export const clipPageSchema = pageSchema(clipSchema)

const clipTitleSchema = lineSchema.superRefine(ruleCheck(titleRule))
const secondsSchema = z
  .number({ error: 'must be a number of seconds' })
  .min(0, 'must not be negative')
  .transform((seconds) => Math.round(seconds * 1000) / 1000)

export const createClipSchema = z.object({
  videoId: idSchema,
  title: clipTitleSchema,
  startSeconds: secondsSchema,
  endSeconds: secondsSchema,
})
export type CreateClip = z.infer<typeof createClipSchema>

export const suggestClipTitleSchema = createClipSchema.omit({ title: true })
export type SuggestClipTitle = z.infer<typeof suggestClipTitleSchema>
/** The best title comes first; there may be none. */
export const clipTitlesSchema = z.object({ titles: z.array(z.string()) })

/** Clips of other videos. */
export const clipsAroundSchema = z.object({
  evening: z.array(clipSchema),
  game: z.array(clipSchema),
})
export type ClipsAround = z.infer<typeof clipsAroundSchema>

export const updateClipSchema = createClipSchema
  .omit({ videoId: true })
  .partial()
  .extend({
    id: idSchema,
    was: wasSchema(clipSchema.pick({ title: true, startSeconds: true, endSeconds: true })),
  })
export type UpdateClip = z.infer<typeof updateClipSchema>

export const clipIdSchema = z.object({ id: idSchema })

export const likeClipSchema = z.object({ id: idSchema, isLiked: z.boolean() })
export const clipLikesSchema = z.object({ likeCount: z.int(), isLiked: z.boolean() })

export const clipProgressSchema = z.object({
  id: idSchema,
  /** Since the page was opened. */
  watchedSeconds: z.number({ error: 'must be a number of seconds' }).min(0, 'must not be negative'),
})

export const listClipsOfSchema = pageInputSchema.extend({ id: idSchema })

export const searchClipsSchema = pageInputSchema.extend({
  q: queryLineSchema.refine((text) => text.length > 0 && text.length <= SEARCH_QUERY_MAX, {
    error: `must be 1 to ${SEARCH_QUERY_MAX} characters`,
  }),
})
