import { z } from 'zod'
import { timestampSchema } from '../field.schemas.ts'
import { clipSchema } from './clip.schemas.ts'
import { faceSchema } from './user.schemas.ts'
import { videoSchema } from './video.schemas.ts'

/** To be played without being asked for: small, or null. */
const fileSchema = z
  .object({ url: z.string(), startSeconds: z.number(), endSeconds: z.number() })
  .nullable()

/** What the page begins with; `isNewest` where nothing is liked or watched this week. */
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
  /** Most watched ones, with their best videos. */
  games: z.array(z.object({ name: z.string(), videos: z.array(videoSchema) })),
})
export type HomeShelves = z.infer<typeof homeShelvesSchema>

export const visitSchema = z.object({
  /** End of the visit before. */
  since: timestampSchema,
  /** Newest first. */
  people: z.array(faceSchema),
  /** Of all, also those not among `people`. */
  peopleCount: z.int(),
})
export type Visit = z.infer<typeof visitSchema>

export const gamePageSchema = z.object({
  name: z.string(),
  isArchived: z.boolean(),
  /** Of admins, or a video's. */
  picture: z.object({ url: z.string(), isArt: z.boolean() }).nullable(),
  videoCount: z.int(),
  clips: z.array(clipSchema),
  /** With the newest videos of it. */
  people: z.array(faceSchema),
  peopleCount: z.int(),
})
export type GamePage = z.infer<typeof gamePageSchema>
