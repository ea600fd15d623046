import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'

const MAX_SECONDS = 48 * 3600

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
    .max(MAX_SECONDS, { error: 'lies after the end of the video' }),
})
export type SetPosterFrame = z.infer<typeof setPosterFrameSchema>
