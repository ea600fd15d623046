import { z } from 'zod'
import { idSchema, pageInputSchema } from '../field.schemas.ts'

/** A member who played along in a video, as its owner says. */
export const participantSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
})
export type Participant = z.infer<typeof participantSchema>

export const nameParticipantSchema = z.object({ videoId: idSchema, userId: idSchema })

/** `id` is the member's. */
export const listAppearancesSchema = pageInputSchema.extend({ id: idSchema })
