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

/** Picture and name. */
export const faceSchema = userSchema.pick({ id: true, displayName: true, avatarUrl: true })
export type Face = z.infer<typeof faceSchema>

/** What an open invite says of the site. */
export const invitationSchema = z.object({
  /** Null once the account is deleted. */
  by: z.string().nullable(),
  /** The first ones. */
  people: z.array(faceSchema),
  peopleCount: z.int(),
})
export type Invitation = z.infer<typeof invitationSchema>

export const ownUserSchema = userSchema.extend({
  email: z.string(),
  showEmail: z.boolean(),
  /** Null for the site's. */
  defaultVisibility: visibilitySchema.nullable(),
  /** What one watches, to followers who allow it too. */
  showsPresence: z.boolean(),
})
export type OwnUser = z.infer<typeof ownUserSchema>
