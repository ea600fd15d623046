import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'
import { REACTION_KINDS } from '../reactions.ts'

export const reactionKindSchema = z.enum(REACTION_KINDS)

/** @param id the id of the video */
export const reactSchema = z.object({
  id: idSchema,
  second: z
    .number({ error: 'must be a number of seconds' })
    .min(0, 'must not be negative')
    .max(1e6, 'is behind the end of every video')
    .transform(Math.floor),
  kind: reactionKindSchema,
})
export type React = z.infer<typeof reactSchema>

/** The number of the viewer's own reactions to the video, at most 30. */
export const reactedSchema = z.object({ count: z.int() })
export type Reacted = z.infer<typeof reactedSchema>

/** For each kind a base-36 digit per bucket, beginning at the start; 'z' means 35 or more. */
export const reactionsSchema = z.object({
  bucketSeconds: z.int(),
  counts: z.partialRecord(reactionKindSchema, z.string()),
})
export type Reactions = z.infer<typeof reactionsSchema>
