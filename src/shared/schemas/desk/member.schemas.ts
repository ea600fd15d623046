import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  pageInputSchema,
  ruleCheck,
  timestampSchema,
  wasSchema,
} from '../../field.schemas.ts'
import { passwordRule } from '../../field-rules.ts'
import { linkedAccountSchema } from '../provider.schemas.ts'
import { passkeySchema } from '../second-factor.schemas.ts'
import { filterSchema } from './audit.schemas.ts'

const INVITE_USES_MAX = 1000
const INVITE_DAYS_MAX = 365
const INVITE_NOTE_MAX = 100

/** Excludes email, which is private to its owner. */
export const memberSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  isAdmin: z.boolean(),
  createdAt: timestampSchema,
  bannedAt: timestampSchema.nullable(),
  banReason: z.string().nullable(),
  deletedAfter: timestampSchema.nullable(),
  /** When the account will be deleted, as the member asked. */
  deletesAt: timestampSchema.nullable(),
  videoCount: z.int(),
  /** Including renditions. */
  storageBytes: z.int(),
  quotaBytes: z.int().nullable(),
})
export type Member = z.infer<typeof memberSchema>

export const listMembersSchema = pageInputSchema.extend({
  q: filterSchema.optional(),
  show: z.enum(['all', 'admins', 'banned']).default('all'),
  sort: z.enum(['newest', 'storage']).default('newest'),
})

export const setQuotaSchema = z.object({
  userId: idSchema,
  /** Null for the site's. */
  quotaBytes: z
    .int('must be a whole number of bytes')
    .min(0, 'must be a whole number of bytes')
    .nullable(),
  was: wasSchema(memberSchema.pick({ quotaBytes: true })),
})
export type SetQuota = z.infer<typeof setQuotaSchema>

/** The ways in which a member can sign in, for admins. */
export const memberSignInSchema = z.object({
  hasPassword: z.boolean(),
  /** False if only admins sign in with a password and the member is not an admin. */
  takesPassword: z.boolean(),
  passkeys: z.array(passkeySchema),
  timeCodesSince: timestampSchema.nullable(),
  recoveryCodesLeft: z.int(),
  /** Includes accounts of providers whose variables were removed. */
  identities: z.array(linkedAccountSchema.extend({ isOffered: z.boolean() })),
  sessionCount: z.int(),
  apiTokenCount: z.int(),
})
export type MemberSignIn = z.infer<typeof memberSignInSchema>

/** A passkey or linked account of a member. */
export const memberPartSchema = z.object({ userId: idSchema, id: idSchema })

export const makePasswordLinkSchema = z.object({
  userId: idSchema,
  /** Removes every other way to sign in, including the password, and the API tokens. */
  allWays: z.boolean().default(false),
})

const TOKEN = /^[\w-]{20,100}$/
const NO_LINK = 'This link is incomplete. Please copy all of it.'
export const resetTokenSchema = z.object({ token: z.string().regex(TOKEN, NO_LINK) })
export const resetPasswordSchema = resetTokenSchema.extend({
  password: z.string().superRefine(ruleCheck(passwordRule)),
})

export const inviteSchema = z.object({
  id: z.int(),
  note: z.string(),
  usesMax: z.int(),
  uses: z.int(),
  expiresAt: timestampSchema.nullable(),
  createdAt: timestampSchema,
  createdByName: z.string().nullable(),
  state: z.enum(['open', 'used-up', 'expired', 'revoked']),
})
export type Invite = z.infer<typeof inviteSchema>

/** The only answer with the code. */
export const createdInviteSchema = inviteSchema.extend({ code: z.string() })
export type CreatedInvite = z.infer<typeof createdInviteSchema>

const between = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`
  return z.int({ error }).min(from, error).max(to, error)
}
export const createInviteSchema = z.object({
  uses: between(1, INVITE_USES_MAX).default(1),
  /** Null for no expiry. */
  days: between(1, INVITE_DAYS_MAX).nullable().default(7),
  note: lineSchema
    .refine((note) => note.length <= INVITE_NOTE_MAX, {
      error: `A note has at most ${INVITE_NOTE_MAX} characters.`,
    })
    .default(''),
})
export type CreateInvite = z.infer<typeof createInviteSchema>

export const listInvitesSchema = pageInputSchema.extend({ q: filterSchema.optional() })
