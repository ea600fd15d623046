import { z } from 'zod'
import { idSchema, lineSchema } from '../field.schemas.ts'
import { NAMED_MEMBERS_MAX } from '../limits.ts'

/**
 * Who may see a video or a playlist: everybody; whoever is signed in; whoever has its address, while no list has it; its owner
 * and the members that they name. Admins may see all.
 */
export const VISIBILITIES = ['public', 'members', 'unlisted', 'private'] as const

export const visibilitySchema = z.enum(VISIBILITIES)
export type Visibility = z.infer<typeof visibilitySchema>

/** Whether `to` is for fewer people than `from`. */
export function isLessVisible(from: Visibility, to: Visibility): boolean {
  const order: Visibility[] = ['public', 'unlisted', 'members', 'private']
  return order.indexOf(to) > order.indexOf(from)
}

export const TOO_MANY_NAMED = `You can name at most ${NAMED_MEMBERS_MAX} members.`

/** A member whom the owner of a video or playlist names. */
export const namedMemberSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
})
export type NamedMember = z.infer<typeof namedMemberSchema>

/**
 * `id` is the video's or the playlist's; whoever is not in the list may not see it any more. With the list as it `was`
 * read, only who is new in it and who is missing from it changes.
 */
export const setNamedMembersSchema = z.object({
  id: idSchema,
  usernames: z.array(lineSchema).max(NAMED_MEMBERS_MAX, TOO_MANY_NAMED),
  was: z.array(lineSchema).max(NAMED_MEMBERS_MAX, TOO_MANY_NAMED).optional(),
})
export type SetNamedMembers = z.infer<typeof setNamedMembersSchema>
