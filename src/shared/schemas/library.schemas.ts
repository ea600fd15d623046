import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  pageInputSchema,
  pageSchema,
  ruleCheck,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { playlistDescriptionRule, playlistTitleRule } from '../field-rules.ts'
import { PLAYLIST_ITEMS_MAX, SEARCH_QUERY_MAX } from '../limits.ts'
import { VIEW_SOURCES } from '../view-source.ts'
import { videoSchema } from './video.schemas.ts'
import { visibilitySchema } from './visibility.schemas.ts'

const positionSchema = z
  .number({ error: 'must be a number of seconds' })
  .min(0, 'must be a number of seconds')
  .max(1_000_000, 'must be a number of seconds')

export const progressSchema = z.object({
  videoId: idSchema,
  positionSeconds: positionSchema,
  /** Actually played since the page opened; views count from it. */
  watchedSeconds: positionSchema,
  source: z.enum(VIEW_SOURCES, { error: 'is not one of the sources' }).optional(),
})
export type Progress = z.infer<typeof progressSchema>

export const listHistorySchema = pageInputSchema.extend({
  q: z.string().max(SEARCH_QUERY_MAX).optional(),
})
const historyItemSchema = z.object({
  video: videoSchema,
  positionSeconds: z.number(),
  watchedAt: timestampSchema,
})
export const historyPageSchema = pageSchema(historyItemSchema)

export const restoreHistorySchema = z.object({
  videoId: idSchema,
  positionSeconds: positionSchema,
  watchedAt: z.iso.datetime({ precision: 3, error: 'must be a time as the history gives it' }),
})
export type RestoreHistory = z.infer<typeof restoreHistorySchema>
export type HistoryItem = z.infer<typeof historyItemSchema>

const playlistTitleSchema = lineSchema.superRefine(ruleCheck(playlistTitleRule))
const playlistDescriptionSchema = textSchema.superRefine(ruleCheck(playlistDescriptionRule))

export const createPlaylistSchema = z.object({
  title: playlistTitleSchema,
  description: playlistDescriptionSchema.default(''),
  isPublic: z.boolean().default(false),
  /** Overrides `isPublic`. */
  visibility: visibilitySchema.optional(),
})
export type CreatePlaylist = z.infer<typeof createPlaylistSchema>

export const playlistSchema = z.object({
  id: z.int(),
  userId: z.int(),
  kind: z.enum(['list', 'watch-later']),
  title: z.string(),
  description: z.string(),
  isPublic: z.boolean(),
  visibility: visibilitySchema,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  owner: z.object({ id: z.int(), username: z.string(), displayName: z.string() }),
  videoCount: z.int(),
  thumbnailUrl: z.string().nullable(),
  containsVideo: z.boolean(),
})
export type Playlist = z.infer<typeof playlistSchema>

export const editPlaylistSchema = z.object({
  id: idSchema,
  title: playlistTitleSchema.optional(),
  description: playlistDescriptionSchema.optional(),
  isPublic: z.boolean().optional(),
  /** Overrides `isPublic`. */
  visibility: visibilitySchema.optional(),
  was: wasSchema(playlistSchema.pick({ title: true, description: true, visibility: true })),
})
export type EditPlaylist = z.infer<typeof editPlaylistSchema>

export const playlistWithVideosSchema = playlistSchema.extend({
  videos: z.array(videoSchema),
  nextCursor: z.string().nullable(),
})
export type PlaylistWithVideos = z.infer<typeof playlistWithVideosSchema>

export const playlistVideoSchema = z.object({ playlistId: idSchema, videoId: idSchema })
export const movePlaylistVideoSchema = playlistVideoSchema.extend({
  /** From 0. */
  toIndex: z.number().int().min(0).max(PLAYLIST_ITEMS_MAX),
})
