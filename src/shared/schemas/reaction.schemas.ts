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

/**
 * `replaced` is the kind of the viewer's earlier reaction in the same second. It is null if the
 * reaction is new; only new ones are announced to those who watch.
 */
export const reactedNowSchema = reactedSchema.extend({ replaced: reactionKindSchema.nullable() })
export type ReactedNow = z.infer<typeof reactedNowSchema>

/** For each kind a base-36 digit per bucket, beginning at the start; 'z' means 35 or more. */
export const reactionsSchema = z.object({
  bucketSeconds: z.int(),
  counts: z.partialRecord(reactionKindSchema, z.string()),
})
export type Reactions = z.infer<typeof reactionsSchema>
