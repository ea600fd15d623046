import { z } from 'zod'
import { timestampSchema } from '../field.schemas.ts'
import { clipSchema } from './clip.schemas.ts'
import { faceSchema, userSchema } from './user.schemas.ts'
import { videoSchema } from './video.schemas.ts'

/** The file that plays automatically. It is null if no file is small enough. */
const fileSchema = z
  .object({
    url: z.string(),
    bytes: z.int(),
    startSeconds: z.number(),
    endSeconds: z.number(),
  })
  .nullable()

/** The top of the home page; `isNewest` is true if nothing was liked or watched this week. */
export const tonightSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clip'), clip: clipSchema, file: fileSchema }),
  z.object({
    kind: z.literal('video'),
    isNewest: z.boolean(),
    video: videoSchema,
    file: fileSchema,
  }),
])
export type Tonight = z.infer<typeof tonightSchema>

export const homeShelvesSchema = z.object({
  loved: z.array(videoSchema),
  /** The games with the most trending videos, and the best of these videos. */
  games: z.array(z.object({ name: z.string(), videos: z.array(videoSchema) })),
})
export type HomeShelves = z.infer<typeof homeShelvesSchema>

export const visitSchema = z.object({
  /** The end of the visit before. */
  since: timestampSchema,
  /** Those with the newest videos come first. */
  people: z.array(faceSchema),
  /** Counts everyone, including those who are not in `people`. */
  peopleCount: z.int(),
})
export type Visit = z.infer<typeof visitSchema>

export const suggestedChannelSchema = userSchema.pick({
  ...{ id: true, username: true, displayName: true, avatarUrl: true, subscriberCount: true },
})
export type SuggestedChannel = z.infer<typeof suggestedChannelSchema>

export const gamePageSchema = z.object({
  name: z.string(),
  isArchived: z.boolean(),
  /** The art that an admin uploaded, or the poster of a video. */
  picture: z.object({ url: z.string(), isArt: z.boolean() }).nullable(),
  videoCount: z.int(),
  clips: z.array(clipSchema),
  /** Those who posted the newest videos of the game. */
  people: z.array(faceSchema),
  peopleCount: z.int(),
})
export type GamePage = z.infer<typeof gamePageSchema>
