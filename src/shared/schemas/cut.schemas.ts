import { z } from 'zod'
import { idSchema, lineSchema, ruleCheck, timestampSchema } from '../field.schemas.ts'
import { titleRule } from '../field-rules.ts'
import { CUT_PARTS_MAX } from '../limits.ts'

const seconds = z.number({ error: 'must be a number of seconds' })

/** Half-open range of kept pictures. */
export const cutPartSchema = z.object({
  fromSeconds: seconds.min(0, 'A part begins before the video: its time must not be negative.'),
  toSeconds: seconds.min(0, 'A part ends before the video: its time must not be negative.'),
})
export type CutPart = z.infer<typeof cutPartSchema>

export const cutVideoSchema = z.object({ videoId: idSchema })

export const startCutSchema = z.object({
  videoId: idSchema,
  /** Kept, ordered and disjoint. */
  parts: z
    .array(cutPartSchema)
    .min(1, 'Keep at least one part.')
    .max(CUT_PARTS_MAX, `A cut has at most ${CUT_PARTS_MAX} parts.`),
  as: z.enum(['new', 'replace']),
  /** Defaults to the old title with '(cut)'. */
  title: lineSchema.superRefine(ruleCheck(titleRule)).optional(),
})
export type StartCut = z.infer<typeof startCutSchema>

/** The same video when its recording is replaced. */
export const startedCutSchema = z.object({ videoId: z.int() })

export const cutSourceSchema = z.object({
  durationSeconds: z.number(),
  /** Average. */
  frameRate: z.number(),
  keyFrameSeconds: z.array(z.number()),
  /** Until then the previous recording can be restored. */
  bringBackUntil: timestampSchema.nullable(),
})
export type CutSource = z.infer<typeof cutSourceSchema>

export const cutStateSchema = z.object({
  cut: z
    .object({
      /** Accepted by `video.processingStatus`, `cancelProcessing` and `retryProcessing`. */
      videoId: z.int(),
      as: z.enum(['new', 'replace']),
      state: z.enum(['waiting', 'running', 'failed']),
      percent: z.number(),
      secondsLeft: z.number().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
  bringBackUntil: timestampSchema.nullable(),
})
export type CutState = z.infer<typeof cutStateSchema>
