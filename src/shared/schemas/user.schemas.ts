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

export const faceSchema = userSchema.pick({ id: true, displayName: true, avatarUrl: true })
export type Face = z.infer<typeof faceSchema>

/** Tells the holder of an invite who sent it and who is a member already. */
export const invitationSchema = z.object({
  /** Null if the account of the inviter was deleted. */
  by: z.string().nullable(),
  /** The members who joined first. */
  people: z.array(faceSchema),
  peopleCount: z.int(),
})
export type Invitation = z.infer<typeof invitationSchema>

export const ownUserSchema = userSchema.extend({
  email: z.string(),
  showEmail: z.boolean(),
  /** Null for the site's. */
  defaultVisibility: visibilitySchema.nullable(),
  /** Whether followers who also show their presence see what the member watches. */
  showsPresence: z.boolean(),
})
export type OwnUser = z.infer<typeof ownUserSchema>
