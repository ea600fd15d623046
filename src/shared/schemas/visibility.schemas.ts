import { z } from 'zod'
import { idSchema, lineSchema } from '../field.schemas.ts'
import { NAMED_MEMBERS_MAX } from '../limits.ts'

/**
 * In order: everybody; signed-in users; anybody with the address; the owner and named members.
 * Admins see all.
 */
export const VISIBILITIES = ['public', 'members', 'unlisted', 'private'] as const

export const visibilitySchema = z.enum(VISIBILITIES)
export type Visibility = z.infer<typeof visibilitySchema>

/** `squad` stands for `private` with a squad and lies between `members` and `private`. */
export type VideoLevel = Visibility | 'squad'

export function isLessVisible(from: VideoLevel, to: VideoLevel): boolean {
  const order: VideoLevel[] = ['public', 'unlisted', 'members', 'squad', 'private']
  return order.indexOf(to) > order.indexOf(from)
}

export const TOO_MANY_NAMED = `You can name at most ${NAMED_MEMBERS_MAX} members.`

export const namedMemberSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
})
export type NamedMember = z.infer<typeof namedMemberSchema>

/** Video or playlist id. With `was`, only differences from it are applied. */
export const setNamedMembersSchema = z.object({
  id: idSchema,
  usernames: z.array(lineSchema).max(NAMED_MEMBERS_MAX, TOO_MANY_NAMED),
  was: z.array(lineSchema).max(NAMED_MEMBERS_MAX, TOO_MANY_NAMED).optional(),
})
export type SetNamedMembers = z.infer<typeof setNamedMembersSchema>
