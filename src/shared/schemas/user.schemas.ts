import { z } from 'zod'
import { timestampSchema } from '../field.schemas.ts'
import { visibilitySchema } from './visibility.schemas.ts'

export const userSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  bannerUrl: z.string().nullable(),
  bio: z.string().nullable(),
  subscriberCount: z.int(),
  isAdmin: z.boolean(),
  createdAt: timestampSchema,
  /** Only in one's own session, or if shown on the channel. */
  email: z.string().optional(),
  isSubscribed: z.boolean().optional(),
})
export type User = z.infer<typeof userSchema>

export const ownUserSchema = userSchema.extend({
  email: z.string(),
  showEmail: z.boolean(),
  /** Null for the site's. */
  defaultVisibility: visibilitySchema.nullable(),
  /** What one watches, to followers who allow it too. */
  showsPresence: z.boolean(),
})
export type OwnUser = z.infer<typeof ownUserSchema>
