import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'

const momentSourceSchema = z.enum([
  'mark',
  'comment',
  'reaction',
  'heat',
  'chapter',
  'loud',
  'scene',
])
export type MomentSource = z.infer<typeof momentSourceSchema>

export const momentSchema = z.object({
  /** Some seconds before `peakSeconds`. */
  atSeconds: z.number(),
  peakSeconds: z.number(),
  endSeconds: z.number(),
  /** Above 0, up to 1. */
  score: z.number(),
  sources: z.array(momentSourceSchema),
  count: z.int(),
  /** From the recorder; owner and admins only. */
  title: z.string().nullable(),
})
export type Moment = z.infer<typeof momentSchema>

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

/** Total markers of the video. */
export const addedTimelineSchema = z.object({ count: z.int() })
export type AddedTimeline = z.infer<typeof addedTimelineSchema>

export const momentIdSchema = z.object({ id: idSchema })
