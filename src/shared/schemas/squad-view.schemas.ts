import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'
import { SQUAD_VIEW_MAX, SQUAD_VIEW_MIN, SQUAD_VIEW_SECONDS_MAX } from '../squad-views.ts'
import { videoSchema } from './video.schemas.ts'

const recordingSchema = z.object({
  video: videoSchema,
  /** The second of the match at which the recording begins. It is null while it is not aligned. */
  offsetSeconds: z.number().nullable(),
  alignment: z.enum(['waiting', 'sound', 'hand', 'none']),
  /** `asked` waits for its owner, `offered` for the owner of one that is `in`. */
  state: z.enum(['in', 'asked', 'offered']),
  /** The viewer decides whether it belongs to the view. */
  mayAnswer: z.boolean(),
  /** The viewer may take it out of the view. */
  mayRemove: z.boolean(),
})
export type SquadViewRecording = z.infer<typeof recordingSchema>

export const squadViewSchema = z.object({
  id: z.int(),
  /** The viewer owns one of the recordings, and may align them. */
  mayEdit: z.boolean(),
  /** Those that the viewer may watch. Only who may edit sees those that are not in it or not aligned. */
  recordings: z.array(recordingSchema),
})
export type SquadView = z.infer<typeof squadViewSchema>

export const squadViewIdSchema = z.object({ id: idSchema })

/** `id` is of a video. */
export const squadViewOfVideoSchema = z.object({
  /** Null if there is none, or the viewer may not see it. */
  id: z.int().nullable(),
  /** Recordings of others that the viewer sees in it. */
  others: z.array(videoSchema),
  /** The owner is asked whether the video belongs to it. */
  isAsked: z.boolean(),
})

const otherIdsSchema = z
  .array(idSchema)
  .min(SQUAD_VIEW_MIN - 1, 'Choose at least one recording.')
  .max(SQUAD_VIEW_MAX - 1, `A squad view has at most ${SQUAD_VIEW_MAX} recordings.`)
  .transform((ids) => [...new Set(ids)])

export const proposeSquadViewSchema = z.object({
  /** The member's own. */
  videoId: idSchema,
  otherIds: otherIdsSchema,
})
export type ProposeSquadView = z.infer<typeof proposeSquadViewSchema>

export const squadViewVideoSchema = squadViewIdSchema.extend({ videoId: idSchema })

export const answerSquadViewSchema = squadViewVideoSchema.extend({ isAccepted: z.boolean() })
export type AnswerSquadView = z.infer<typeof answerSquadViewSchema>

export const placeRecordingsSchema = squadViewIdSchema.extend({
  places: z
    .array(
      z.object({
        videoId: idSchema,
        offsetSeconds: z
          .number({ error: 'must be a number of seconds' })
          .min(-SQUAD_VIEW_SECONDS_MAX, 'is too long before the others')
          .max(SQUAD_VIEW_SECONDS_MAX, 'is too long after the others')
          .transform((seconds) => Math.round(seconds * 1000) / 1000),
      }),
    )
    .min(1)
    .max(SQUAD_VIEW_MAX),
})
export type PlaceRecordings = z.infer<typeof placeRecordingsSchema>
