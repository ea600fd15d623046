import { z } from 'zod'
import { userSchema } from './user.schemas.ts'

/** An upload that can be watched while it arrives, as its page shows it. */
export const arrivingSchema = z.object({
  /** The id of the future video. */
  id: z.int(),
  title: z.string(),
  description: z.string(),
  /** Null for an anonymous one, except for its owner and admins. */
  channel: userSchema.nullable(),
  isOwn: z.boolean(),
  /**
   * `paused`: no bytes come. `finishing`: all bytes are there. `preparing`: the video exists, but
   * does not play yet. The last three are final.
   */
  state: z.enum(['arriving', 'paused', 'finishing', 'preparing', 'ready', 'failed', 'cancelled']),
  /** The percentage of the bytes that has arrived. */
  percent: z.int(),
  /** `no`: only once it is prepared. `unknown`: its index has not arrived. */
  plays: z.enum(['yes', 'no', 'unknown']),
  /** The seconds that can be watched. */
  arrivedSeconds: z.number(),
  durationSeconds: z.number().nullable(),
})
export type Arriving = z.infer<typeof arrivingSchema>

export const uploadLinkSchema = z.object({
  videoId: z.int(),
  /** Absolute. */
  url: z.string(),
})
