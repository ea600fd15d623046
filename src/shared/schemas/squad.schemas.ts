import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  pageInputSchema,
  pageSchema,
  ruleCheck,
  textSchema,
  timestampSchema,
  wasSchema,
} from '../field.schemas.ts'
import { squadDescriptionRule, squadNameRule, squadTagRule } from '../field-rules.ts'
import { SQUAD_COLOURS, SQUAD_EMBLEMS, SQUAD_JOININGS, SQUAD_ROLES } from '../squads.ts'
import { namedMemberSchema } from './visibility.schemas.ts'

const colourSchema = z.enum(SQUAD_COLOURS)
const emblemSchema = z.enum(SQUAD_EMBLEMS)
const joiningSchema = z.enum(SQUAD_JOININGS)
const roleSchema = z.enum(SQUAD_ROLES)

/** A squad as it is shown beside a name or a video. */
export const videoSquadSchema = z.object({
  id: z.int(),
  name: z.string(),
  tag: z.string(),
  colour: colourSchema,
  emblem: emblemSchema,
})
export type SquadMark = z.infer<typeof videoSquadSchema>

export const squadSchema = videoSquadSchema.extend({
  description: z.string(),
  joining: joiningSchema,
  memberCount: z.int(),
  createdAt: timestampSchema,
  /** Null if the caller is not a member. */
  myRole: roleSchema.nullable(),
  isInvited: z.boolean(),
  hasAsked: z.boolean(),
  /** A leader removed the caller, who can join an open squad again only by invitation. */
  wasRemoved: z.boolean(),
  /** Is 0 unless the caller is the owner or an officer. */
  requestCount: z.int(),
  /** Whether other members posted, sent clips or published videos for the squad since the caller last opened it. */
  hasNews: z.boolean(),
})
export type Squad = z.infer<typeof squadSchema>

export const squadPageSchema = pageSchema(squadSchema)

export const squadMemberSchema = namedMemberSchema.extend({
  role: roleSchema,
  joinedAt: timestampSchema,
  /**
   * The member was here in the last 24 hours. True only if the caller is also a member and both show their presence.
   */
  wasHereLately: z.boolean(),
})
export type SquadMember = z.infer<typeof squadMemberSchema>

/** A member who asked to join or was invited. */
export const squadCandidateSchema = namedMemberSchema.extend({ createdAt: timestampSchema })
export type SquadCandidate = z.infer<typeof squadCandidateSchema>

const fields = {
  name: lineSchema.superRefine(ruleCheck(squadNameRule)),
  tag: lineSchema.superRefine(ruleCheck(squadTagRule)),
  description: textSchema.superRefine(ruleCheck(squadDescriptionRule)),
  colour: colourSchema,
  emblem: emblemSchema,
  joining: joiningSchema,
}

export const createSquadSchema = z.object({
  ...fields,
  description: fields.description.default(''),
})
export type CreateSquad = z.infer<typeof createSquadSchema>

export const editSquadSchema = z
  .object(fields)
  .partial()
  .extend({
    id: idSchema,
    was: wasSchema(
      squadSchema.pick({
        name: true,
        tag: true,
        description: true,
        colour: true,
        emblem: true,
        joining: true,
      }),
    ),
  })
export type EditSquad = z.infer<typeof editSquadSchema>

export const squadIdSchema = z.object({ id: idSchema })
export const squadPageInputSchema = pageInputSchema.extend({ id: idSchema })
export const squadMemberIdSchema = z.object({ id: idSchema, userId: idSchema })
export const squadVideoIdSchema = z.object({ id: idSchema, videoId: idSchema })
export const inviteToSquadSchema = z.object({
  id: idSchema,
  usernames: z.array(lineSchema).min(1).max(20, 'Invite at most 20 at a time.'),
})
export const setSquadRoleSchema = squadMemberIdSchema.extend({
  role: z.enum(['officer', 'member']),
})
export type SetSquadRole = z.infer<typeof setSquadRoleSchema>
