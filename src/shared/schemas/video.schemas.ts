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
import { userSchema } from './user.schemas.ts'
import { visibilitySchema } from './visibility.schemas.ts'

export const likeSchema = z.enum(['like', 'dislike'])
export type Like = z.infer<typeof likeSchema>

const processingStateSchema = z.enum(['processing', 'ready', 'failed'])

/** A video goes private or is deleted at a time. */
const videoExpirySchema = z.object({
  at: z.iso.datetime({ error: 'must be a time' }).transform((time) => new Date(time).toISOString()),
  action: z.enum(['private', 'delete']),
})
export type VideoExpiry = z.infer<typeof videoExpirySchema>

/** A video as its viewer may see it; `userId` and `channel` are null when it is anonymous to them. */
export const videoSchema = z.object({
  id: z.int(),
  userId: z.int().nullable(),
  title: z.string(),
  description: z.string(),
  /** A progressive MP4 that takes range requests; null until one exists. */
  videoUrl: z.string().nullable(),
  /** The adaptive stream's master playlist; null until it is made. */
  hlsUrl: z.string().nullable(),
  /** A JPEG that fits inside 1280x720. */
  thumbnailUrl: z.string().nullable(),
  /** The thumbnail in WebP, 480 pixels at its longer side; null until it is made. */
  cardUrl: z.string().nullable(),
  /** WebVTT whose cues name parts of pictures (`#xywh=`); null until it is made. */
  storyboardUrl: z.string().nullable(),
  /** Whole seconds. */
  duration: z.int(),
  /** Pixels as displayed, after rotation. */
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
  /** Nobody may comment any more; what was said stays. */
  commentsOff: z.boolean(),
  videoFileExists: z.boolean(),
  processingState: processingStateSchema,
  /** One sentence that the owner can act on, when `processingState` is `failed`. */
  processingError: z.string().nullable(),
  /** Why an admin turned it down; null to everybody but its owner and admins. */
  rejectionReason: z.string().nullable(),
  /** Why it is not approved, besides a rejection; null to everybody but its owner and admins. */
  withheld: z.enum(['hidden', 'banned']).nullable(),
  channel: userSchema.nullable(),
  /** Who may see it, once it is published. */
  visibility: visibilitySchema,
  /** Members may download it, where the site allows that. */
  allowsDownload: z.boolean(),
  /** Others may make clips of it, and videos of its clips. */
  allowsClips: z.boolean(),
  allowsClipVideos: z.boolean(),
  /** How often it was downloaded; null to everybody but its owner and admins. */
  downloadCount: z.int().nullable(),
  /** What happens to it when; null to everybody but its owner and admins, and where nothing does. */
  expiry: videoExpirySchema.nullable(),
  myRating: likeSchema.nullable(),
})
export type Video = z.infer<typeof videoSchema>

export const recommendedVideoSchema = videoSchema.extend({
  /** Why it is recommended; null where nothing but its date and views speaks for it. */
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

/** A channel's videos; those that are not public only its owner and admins can find. */
export const listUserVideosSchema = pageInputSchema.extend({
  id: idSchema,
  state: videoStateSchema.default('all'),
  sort: videoSortSchema.default('newest'),
  /** Part of the title. */
  q: z.string().max(SEARCH_QUERY_MAX).optional(),
})
export type ListUserVideos = z.infer<typeof listUserVideosSchema>

export const videoIdSchema = z.object({ id: idSchema })

const titleSchema = lineSchema.superRefine(ruleCheck(titleRule))
const descriptionSchema = textSchema.refine((value) => value.length <= DESCRIPTION_MAX, {
  error: `Description must be at most ${DESCRIPTION_MAX} characters.`,
})

/** Up to ten tags; the same tag in another case counts once. */
export const tagsSchema = z
  .array(
    lineSchema.refine((tag) => tag.length >= TAG_MIN && tag.length <= TAG_MAX, {
      error: `Each tag must be ${TAG_MIN} to ${TAG_MAX} characters.`,
    }),
  )
  .transform((tags) => [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()])
  .refine((tags) => tags.length <= TAGS_MAX, { error: `A video has at most ${TAGS_MAX} tags.` })

/** What an uploader says about a video before its file is known. */
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
  /** Null for the default of its owner or the site. */
  visibility: visibilitySchema.nullish().transform((value) => value ?? null),
})

/** How far one piece of work on a video has come. */
const workStatusSchema = z.object({
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  percent: z.number().min(0).max(100),
  /** Its place in the queue, from 1; 0 when it does not wait. */
  queuePosition: z.int(),
  step: z.string().nullable(),
  speed: z.number().nullable(),
  secondsLeft: z.int().nullable(),
  /** One sentence, when it failed. */
  error: z.string().nullable(),
})
export type WorkStatus = z.infer<typeof workStatusSchema>

const soundKindSchema = z.enum(SOUND_KINDS)
export const setSoundKindSchema = z.object({
  id: idSchema,
  number: z.int().min(1).max(100),
  /** Null for what the recording says. */
  kind: soundKindSchema.nullable(),
  /** The value that the editor read; another one by now is a conflict. */
  was: soundKindSchema.nullish(),
})
export type SetSoundKind = z.infer<typeof setSoundKindSchema>

/** What a player can choose from, beyond the video's own fields. */
export const playbackSchema = z.object({
  videoUrl: z.string().nullable(),
  hlsUrl: z.string().nullable(),
  /** A progressive MP4 small enough for chat programs; it may be `videoUrl` itself. */
  shareUrl: z.string().nullable(),
  /** Integrated loudness in LUFS (EBU R 128); null when unknown or silent. */
  loudnessLufs: z.number().nullable(),
  /** Bytes: the peak of each twentieth of a second of the sound, 0 for silence and 255 for full scale. */
  waveformUrl: z.string().nullable(),
  /**
   * How much speaks for each hundredth of the video, from 0 to 1 for the most: that it was watched, and its moments;
   * empty until enough people have watched it and where there is no moment.
   */
  heat: z.array(z.number().min(0).max(1)),
  /** Where it is worth looking at. */
  moments: momentsSchema,
  /** The steps of the adaptive stream, largest first. */
  renditions: z.array(
    z.object({
      /** What people call it, such as 1080: the short side of the picture. */
      name: z.int(),
      width: z.int(),
      height: z.int(),
      frameRate: z.number(),
      /** Bits per second of the busiest stretch. */
      bandwidth: z.int(),
      codecs: z.string(),
      /** The picture is the upload's own, not encoded again. */
      copied: z.boolean(),
    }),
  ),
  /** Of the sound in the video itself, ISO 639; null where the recording does not declare it. */
  soundLanguage: z.string().nullable(),
  /**
   * The second and further sound tracks of the recording, as files of sound alone, to be played beside the
   * muted video. The first track is in the video itself.
   */
  soundTracks: z.array(
    z.object({ number: z.int(), url: z.string(), language: z.string().nullable() }),
  ),
  /** What the tracks are called, by their numbers from 1 on; empty where there are not several. */
  soundNames: z.array(
    z.object({
      number: z.int(),
      /** As the recorder called it. */
      name: z.string().nullable(),
      /** As the owner chose; it goes before the name. */
      kind: soundKindSchema.nullable(),
    }),
  ),
  captions: z.array(captionsSchema),
})
export type Playback = z.infer<typeof playbackSchema>

/** How far the work on one's own video has come. */
export const processingStatusSchema = z.object({
  processingState: processingStateSchema,
  processingError: z.string().nullable(),
  stage: z.enum(['waiting', 'preparing', 'done']),
  percent: z.number().min(0).max(100),
  /** Jobs that will be taken first; 0 when it is being worked on. */
  queuePosition: z.int(),
  /**
   * What it is busy with: 'reading', 'encoding', 'storyboard' or 'sharing'; or 'no-room' while it waits for room
   * on the disk, 'no-store' for the place where videos are stored, and 'no-machine' for a machine that does it.
   */
  step: z.string().nullable(),
  /** Seconds of video in a second. */
  speed: z.number().nullable(),
  secondsLeft: z.int().nullable(),
  /** The work that goes on while the video plays already; null when there is none of record. */
  ladder: workStatusSchema.nullable(),
})
export type ProcessingStatus = z.infer<typeof processingStatusSchema>

/** The same of one of several videos. */
export const videoWorkSchema = processingStatusSchema.extend({ videoId: idSchema })
export type VideoWork = z.infer<typeof videoWorkSchema>

/** Any of the fields an owner may change; an empty change is one too. */
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
  allowsDownload: z.boolean().optional(),
  allowsClips: z.boolean().optional(),
  allowsClipVideos: z.boolean().optional(),
  /** Null for never. */
  expiry: videoExpirySchema
    .refine(({ at }) => Date.parse(at) > Date.now(), { error: 'The date has passed already.' })
    .nullable()
    .optional(),
  was: wasSchema(
    videoSchema.pick({
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
      expiry: true,
    }),
  ),
})
export type EditVideo = z.infer<typeof editVideoSchema>

const videoIdsSchema = z
  .array(idSchema)
  .min(1, { error: 'must name at least one video' })
  .max(MAX_BULK_VIDEOS, { error: `must name at most ${MAX_BULK_VIDEOS} videos` })
  .transform((ids) => [...new Set(ids)])

/** One change to several videos; tags are added to and taken from those that each has. */
export const editVideosSchema = z.object({
  ids: videoIdsSchema,
  category: editVideoSchema.shape.category,
  addTags: tagsSchema.optional(),
  removeTags: tagsSchema.optional(),
  isAnonymous: z.boolean().optional(),
  discordEmbed: z.boolean().optional(),
  visibility: visibilitySchema.optional(),
})
export type EditVideos = z.infer<typeof editVideosSchema>

export const deleteVideosSchema = z.object({ ids: videoIdsSchema })

/** What became of each video; those that failed are as they were. */
export const bulkResultSchema = z.object({
  done: z.array(z.int()),
  failed: z.array(z.object({ id: z.int(), sentence: z.string() })),
})
export type BulkResult = z.infer<typeof bulkResultSchema>

const POSTER_MAX_SECONDS = 48 * 3600

/** A frame of a video to choose its picture from: a rectangle, in pixels, of the sheet at `url`. */
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
