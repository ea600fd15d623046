import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'

const momentSourceSchema = z.enum(['mark', 'comment', 'heat', 'chapter', 'loud', 'scene'])
export type MomentSource = z.infer<typeof momentSourceSchema>

/** A stretch of a video that may be worth looking at. */
export const momentSchema = z.object({
  /** Where to begin, some seconds before it happens. */
  atSeconds: z.number(),
  /** Where most happens. */
  peakSeconds: z.number(),
  endSeconds: z.number(),
  /** Above 0, up to 1. */
  score: z.number(),
  /** What speaks for it: marks of viewers, times in comments, what is watched most, the recorder's chapters, sound, picture. */
  sources: z.array(momentSourceSchema),
  /** How many viewers marked it. */
  count: z.int(),
  /** What the recorder called it, for the owner and admins; null for others. */
  title: z.string().nullable(),
})
export type Moment = z.infer<typeof momentSchema>

/** In the order of their times. */
export const momentsSchema = z.array(momentSchema)

export const listMomentsSchema = z.object({ id: idSchema })

/** @param id the video's */
export const markMomentSchema = z.object({
  id: idSchema,
  atSeconds: z
    .number({ error: 'must be a number of seconds' })
    .min(0, 'must not be negative')
    .transform((seconds) => Math.round(seconds * 1000) / 1000),
})
export type MarkMoment = z.infer<typeof markMomentSchema>

/** How many markers of a recorder's timeline a video has now. */
export const addedTimelineSchema = z.object({ count: z.int() })
export type AddedTimeline = z.infer<typeof addedTimelineSchema>

export const momentIdSchema = z.object({ id: idSchema })
