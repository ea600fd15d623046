import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'
import { REACTION_KINDS } from '../reactions.ts'

export const reactionKindSchema = z.enum(REACTION_KINDS)

/** @param id the video's */
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

/** How many of one's own the video has, of at most 30. */
export const reactedSchema = z.object({ count: z.int() })
export type Reacted = z.infer<typeof reactedSchema>

/** For each kind a digit per bucket from the start on, to the base of 36; 'z' is 35 and more. */
export const reactionsSchema = z.object({
  bucketSeconds: z.int(),
  counts: z.partialRecord(reactionKindSchema, z.string()),
})
export type Reactions = z.infer<typeof reactionsSchema>
