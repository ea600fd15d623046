import { z } from 'zod'
import {
  categorySchema,
  idSchema,
  lineSchema,
  pageInputSchema,
  pageSchema,
  ruleCheck,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { titleRule } from '../field-rules.ts'
import {
  DEFAULT_CATEGORY,
  DESCRIPTION_MAX,
  MAX_BULK_VIDEOS,
  SEARCH_QUERY_MAX,
  TAG_MAX,
  TAG_MIN,
  TAGS_MAX,
} from '../limits.ts'
import { SOUND_KINDS } from '../sound-tracks.ts'
import { captionsSchema } from './caption.schemas.ts'
import { momentsSchema } from './moment.schemas.ts'
import { soundMixSchema } from './sound-mix.schemas.ts'
import { videoSquadSchema } from './squad.schemas.ts'
import { userSchema } from './user.schemas.ts'
import { visibilitySchema } from './visibility.schemas.ts'

export const likeSchema = z.enum(['like', 'dislike'])
export type Like = z.infer<typeof likeSchema>

const processingStateSchema = z.enum(['processing', 'ready', 'failed'])

const videoExpirySchema = z.object({
  at: z.iso.datetime({ error: 'must be a time' }).transform((time) => new Date(time).toISOString()),
  action: z.enum(['private', 'delete']),
})
export type VideoExpiry = z.infer<typeof videoExpirySchema>

/** `userId` and `channel` are null for anonymous videos. */
export const videoSchema = z.object({
  id: z.int(),
  userId: z.int().nullable(),
  title: z.string(),
  description: z.string(),
  /** Progressive MP4 with range support; null until it exists. */
  videoUrl: z.string().nullable(),
  /** HLS master playlist; null until it exists. */
  hlsUrl: z.string().nullable(),
  /** JPEG within 1280x720. */
  thumbnailUrl: z.string().nullable(),
  /** WebP within 640x360 (480x480 without `preview`); null until it exists. */
  cardUrl: z.string().nullable(),
  /** Base64 of a WebP picture within 24x24 pixels; null or empty without. */
  preview: z.string().nullable(),
  /** WebVTT with `#xywh=` references; null until it exists. */
  storyboardUrl: z.string().nullable(),
  /** Whole seconds. */
  duration: z.int(),
  /** Pixels after rotation. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  viewCount: z.int(),
  likeCount: z.int(),
  dislikeCount: z.int(),
  publishedAt: timestampSchema,
  discordEmbed: z.boolean(),
  category: z.string(),
  tags: z.array(z.string()),
  contentScanned: z.boolean(),
  contentApproved: z.boolean(),
  isAnonymous: z.boolean(),
  commentsOff: z.boolean(),
  videoFileExists: z.boolean(),
  processingState: processingStateSchema,
  /** Set for `failed`. */
  processingError: z.string().nullable(),
  /** For owner and admins only. */
  rejectionReason: z.string().nullable(),
  /** For owner and admins only. */
  withheld: z.enum(['hidden', 'banned']).nullable(),
  channel: userSchema.nullable(),
  visibility: visibilitySchema,
  /** If set, the members of this squad see the `private` video instead of named members. */
  squad: videoSquadSchema.nullable(),
  /** If the site allows it. */
  allowsDownload: z.boolean(),
  /** Permits others to clip it. */
  allowsClips: z.boolean(),
  allowsClipVideos: z.boolean(),
  allowsReactions: z.boolean(),
  /** For owner and admins only. */
  downloadCount: z.int().nullable(),
  /** For owner and admins only. */
  expiry: videoExpirySchema.nullable(),
  myRating: likeSchema.nullable(),
})
export type Video = z.infer<typeof videoSchema>

export const recommendedVideoSchema = videoSchema.extend({
  reason: z.enum(['following', 'watched-next', 'channel', 'tags', 'game']).nullable(),
})
export type RecommendedVideo = z.infer<typeof recommendedVideoSchema>

export const videoPageSchema = pageSchema(videoSchema)

export const listVideosSchema = pageInputSchema.extend({ category: categorySchema.optional() })

const videoStateSchema = z.enum([
  'all',
  'published',
  'pending',
  'rejected',
  'hidden',
  'processing',
  'failed',
])
export type VideoState = z.infer<typeof videoStateSchema>
const videoSortSchema = z.enum(['newest', 'oldest', 'views', 'title'])
export type VideoSort = z.infer<typeof videoSortSchema>

/** Non-public ones are for owner and admins only. */
export const listUserVideosSchema = pageInputSchema.extend({
  id: idSchema,
  state: videoStateSchema.default('all'),
  sort: videoSortSchema.default('newest'),
  q: z.string().max(SEARCH_QUERY_MAX).optional(),
})
export type ListUserVideos = z.infer<typeof listUserVideosSchema>

export const videoIdSchema = z.object({ id: idSchema })

const titleSchema = lineSchema.superRefine(ruleCheck(titleRule))
const descriptionSchema = textSchema.refine((value) => value.length <= DESCRIPTION_MAX, {
  error: `Description must be at most ${DESCRIPTION_MAX} characters.`,
})

/** Case-insensitively unique. */
export const tagsSchema = z
  .array(
    lineSchema.refine((tag) => tag.length >= TAG_MIN && tag.length <= TAG_MAX, {
      error: `Each tag must be ${TAG_MIN} to ${TAG_MAX} characters.`,
    }),
  )
  .transform((tags) => [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()])
  .refine((tags) => tags.length <= TAGS_MAX, { error: `A video has at most ${TAGS_MAX} tags.` })

export const videoDetailsSchema = z.object({
  title: titleSchema,
  description: descriptionSchema.nullish().transform((value) => value ?? ''),
  category: categorySchema.nullish().transform((value) => value ?? DEFAULT_CATEGORY),
  tags: tagsSchema.nullish().transform((value) => value ?? []),
  /** Null for the site's default. */
  isAnonymous: z
    .boolean()
    .nullish()
    .transform((value) => value ?? null),
  /** Null for the default. */
  visibility: visibilitySchema.nullish().transform((value) => value ?? null),
  /** A squad of the caller; the video becomes `private`, and members of the squad see it. */
  squadId: idSchema.nullish().transform((value) => value ?? null),
})

const workStatusSchema = z.object({
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  percent: z.number().min(0).max(100),
  /** From 1; 0 when not waiting. */
  queuePosition: z.int(),
  step: z.string().nullable(),
  speed: z.number().nullable(),
  secondsLeft: z.int().nullable(),
  /** After a failure. */
  error: z.string().nullable(),
})
export type WorkStatus = z.infer<typeof workStatusSchema>

const soundKindSchema = z.enum(SOUND_KINDS)
export const setSoundKindSchema = z.object({
  id: idSchema,
  number: z.int().min(1).max(100),
  /** Null for the recorded name. */
  kind: soundKindSchema.nullable(),
  /** Value that the editor read; another stored one is a conflict. */
  was: soundKindSchema.nullish(),
})
export type SetSoundKind = z.infer<typeof setSoundKindSchema>

export const playbackSchema = z.object({
  videoUrl: z.string().nullable(),
  hlsUrl: z.string().nullable(),
  /** Small MP4 for chat programs; may equal `videoUrl`. */
  shareUrl: z.string().nullable(),
  /** EBU R 128; null when unknown or silent. */
  loudnessLufs: z.number().nullable(),
  /** Bytes: 20 peaks per second, 255 for full scale. */
  waveformUrl: z.string().nullable(),
  /** Per hundredth of the video, 0 to 1: audience and moments; empty without data. */
  heat: z.array(z.number().min(0).max(1)),
  moments: momentsSchema,
  /** Largest first. */
  renditions: z.array(
    z.object({
      /** The short side, such as 1080. */
      name: z.int(),
      width: z.int(),
      height: z.int(),
      frameRate: z.number(),
      /** Peak bits per second. */
      bandwidth: z.int(),
      codecs: z.string(),
      /** Not re-encoded. */
      copied: z.boolean(),
    }),
  ),
  /** ISO 639; null if not declared. */
  soundLanguage: z.string().nullable(),
  /** Tracks after the first sound of the video, as files to play beside the muted video. */
  soundTracks: z.array(
    z.object({ number: z.int(), url: z.string(), language: z.string().nullable() }),
  ),
  /** By number from 1; empty for a single track. */
  soundNames: z.array(
    z.object({
      number: z.int(),
      name: z.string().nullable(),
      /** Overrides `name`. */
      kind: soundKindSchema.nullable(),
    }),
  ),
  /** The mix that the first sound of the video was made from. It is null where that is the first track. */
  soundMix: soundMixSchema.nullable(),
  captions: z.array(captionsSchema),
})
export type Playback = z.infer<typeof playbackSchema>

export const processingStatusSchema = z.object({
  processingState: processingStateSchema,
  processingError: z.string().nullable(),
  stage: z.enum(['waiting', 'preparing', 'done']),
  percent: z.number().min(0).max(100),
  /** Jobs ahead; 0 when running. */
  queuePosition: z.int(),
  /**
   * 'reading', 'encoding', 'storyboard' or 'sharing'; while waiting 'no-room' (disk), 'no-store'
   * (media store) or 'no-machine'.
   */
  step: z.string().nullable(),
  /** Seconds of video per second. */
  speed: z.number().nullable(),
  secondsLeft: z.int().nullable(),
  /** Work on a video that plays already. */
  ladder: workStatusSchema.nullable(),
  /** Work on the owner's mix of the sound. */
  mix: workStatusSchema.nullable(),
})
export type ProcessingStatus = z.infer<typeof processingStatusSchema>

export const videoWorkSchema = processingStatusSchema.extend({ videoId: idSchema })
export type VideoWork = z.infer<typeof videoWorkSchema>

export const editVideoSchema = z.object({
  id: idSchema,
  title: titleSchema.optional(),
  description: descriptionSchema.optional(),
  category: categorySchema.optional(),
  tags: tagsSchema.optional(),
  isAnonymous: z.boolean().optional(),
  discordEmbed: z.boolean().optional(),
  commentsOff: z.boolean().optional(),
  visibility: visibilitySchema.optional(),
  /**
   * A squad of the caller; the video becomes `private`. Setting only `visibility` removes the
   * squad.
   */
  squadId: idSchema.nullable().optional(),
  allowsDownload: z.boolean().optional(),
  allowsClips: z.boolean().optional(),
  allowsClipVideos: z.boolean().optional(),
  allowsReactions: z.boolean().optional(),
  /** Null for never. */
  expiry: videoExpirySchema
    .refine(({ at }) => Date.parse(at) > Date.now(), { error: 'The date has passed already.' })
    .nullable()
    .optional(),
  was: wasSchema(
    videoSchema
      .pick({
        title: true,
        description: true,
        category: true,
        tags: true,
        isAnonymous: true,
        discordEmbed: true,
        commentsOff: true,
        visibility: true,
        allowsDownload: true,
        allowsClips: true,
        allowsClipVideos: true,
        allowsReactions: true,
        expiry: true,
      })
      .extend({ squadId: idSchema.nullable() }),
  ),
})
export type EditVideo = z.infer<typeof editVideoSchema>

const videoIdsSchema = z
  .array(idSchema)
  .min(1, { error: 'must name at least one video' })
  .max(MAX_BULK_VIDEOS, { error: `must name at most ${MAX_BULK_VIDEOS} videos` })
  .transform((ids) => [...new Set(ids)])

export const editVideosSchema = z.object({
  ids: videoIdsSchema,
  category: editVideoSchema.shape.category,
  addTags: tagsSchema.optional(),
  removeTags: tagsSchema.optional(),
  isAnonymous: z.boolean().optional(),
  discordEmbed: z.boolean().optional(),
  visibility: visibilitySchema.optional(),
  squadId: editVideoSchema.shape.squadId,
})
export type EditVideos = z.infer<typeof editVideosSchema>

export const deleteVideosSchema = z.object({ ids: videoIdsSchema })

export const bulkResultSchema = z.object({
  done: z.array(z.int()),
  failed: z.array(z.object({ id: z.int(), sentence: z.string() })),
})
export type BulkResult = z.infer<typeof bulkResultSchema>

const POSTER_MAX_SECONDS = 48 * 3600

/** Rectangle in pixels of the sheet at `url`. */
export const posterFrameSchema = z.object({
  atSeconds: z.number(),
  url: z.string(),
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
})
export type PosterFrame = z.infer<typeof posterFrameSchema>

export const setPosterFrameSchema = z.object({
  id: idSchema,
  atSeconds: z
    .number({ error: 'must be a number of seconds' })
    .min(0, { error: 'must not be negative' })
    .max(POSTER_MAX_SECONDS, { error: 'lies after the end of the video' }),
})
export type SetPosterFrame = z.infer<typeof setPosterFrameSchema>
