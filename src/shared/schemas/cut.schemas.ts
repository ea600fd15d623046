import { z } from 'zod'
import { idSchema, lineSchema, ruleCheck, timestampSchema } from '../field.schemas.ts'
import { titleRule } from '../field-rules.ts'
import { CUT_PARTS_MAX } from '../limits.ts'

const seconds = z.number({ error: 'must be a number of seconds' })

/** A stretch of a video that stays: what begins at `fromSeconds` or later and before `toSeconds`. */
export const cutPartSchema = z.object({
  fromSeconds: seconds.min(0, 'A part begins before the video: its time must not be negative.'),
  toSeconds: seconds.min(0, 'A part ends before the video: its time must not be negative.'),
})
export type CutPart = z.infer<typeof cutPartSchema>

export const cutVideoSchema = z.object({ videoId: idSchema })

export const startCutSchema = z.object({
  videoId: idSchema,
  /** What is kept, in its order and without overlaps. */
  parts: z
    .array(cutPartSchema)
    .min(1, 'Keep at least one part.')
    .max(CUT_PARTS_MAX, `A cut has at most ${CUT_PARTS_MAX} parts.`),
  as: z.enum(['new', 'replace']),
  /** Of the new video; the old one's with '(cut)' by default. */
  title: lineSchema.superRefine(ruleCheck(titleRule)).optional(),
})
export type StartCut = z.infer<typeof startCutSchema>

/** The video that shows the result, which is the same one where its recording is replaced. */
export const startedCutSchema = z.object({ videoId: z.int() })

/** What a page needs to know of a video before it can be cut. */
export const cutSourceSchema = z.object({
  durationSeconds: z.number(),
  /** Pictures a second on average. */
  frameRate: z.number(),
  /** Where nothing has to be encoded again. */
  keyFrameSeconds: z.array(z.number()),
  /** Until when the recording from before the last cut can be brought back; null when there is none. */
  bringBackUntil: timestampSchema.nullable(),
})
export type CutSource = z.infer<typeof cutSourceSchema>

export const cutStateSchema = z.object({
  /** The cut that is under way or failed, of this video or into it; null when there is none. */
  cut: z
    .object({
      /** The video that it comes in; `video.processingStatus`, `cancelProcessing` and `retryProcessing` take it. */
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
