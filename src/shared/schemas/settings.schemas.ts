import { z } from 'zod'
import { lineSchema, ruleCheck, textSchema, timestampSchema, wasSchema } from '../field.schemas.ts'
import { bioRule, displayNameRule, emailRule, passwordRule } from '../field-rules.ts'
import { DELETION_DAYS } from '../limits.ts'
import { assertionSchema, codeSchema } from './second-factor.schemas.ts'
import { ownUserSchema } from './user.schemas.ts'
import { visibilitySchema } from './visibility.schemas.ts'

export const editProfileSchema = z.object({
  displayName: lineSchema.superRefine(ruleCheck(displayNameRule)).optional(),
  bio: textSchema.superRefine(ruleCheck(bioRule)).optional(),
  email: lineSchema.superRefine(ruleCheck(emailRule)).optional(),
  showEmail: z.boolean().optional(),
  /** Null for the site's default. */
  defaultVisibility: visibilitySchema.nullable().optional(),
  showsPresence: z.boolean().optional(),
  was: wasSchema(
    ownUserSchema.pick({
      displayName: true,
      bio: true,
      email: true,
      showEmail: true,
      defaultVisibility: true,
      showsPresence: true,
    }),
  ),
})
export type EditProfile = z.infer<typeof editProfileSchema>

const newPasswordSchema = z.string().superRefine(ruleCheck(passwordRule))

export const changePasswordSchema = z.object({
  currentPassword: z.string().max(1000),
  newPassword: newPasswordSchema,
})
export type ChangePassword = z.infer<typeof changePasswordSchema>

/** A passkey alone, or what else the account has. */
export const confirmPasswordSchema = z.object({
  password: z.string().max(1000).optional(),
  code: codeSchema.optional(),
  passkey: assertionSchema.optional(),
})
export type ConfirmPassword = z.infer<typeof confirmPasswordSchema>

export const sessionSchema = z.object({
  /** Prefix of the session's digest, which is useless to attackers. */
  id: z.string(),
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  userAgent: z.string().nullable(),
  method: z.enum(['password', 'provider', 'passkey']),
  /** Range that it was last used from, such as `203.0.113.0/24`. */
  address: z.string().nullable(),
  /** To ten minutes. */
  lastUsedAt: timestampSchema.nullable(),
  isCurrent: z.boolean(),
})
export const endSessionSchema = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, 'is not an id') })

/** Of what the site knows about the member. */
export const dataExportSchema = z.object({
  state: z.enum(['queued', 'running', 'done', 'failed']),
  percent: z.int(),
  createdAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema,
  bytes: z.int(),
  /** Videos, clips and pictures in it. */
  fileCount: z.int(),
  error: z.string().nullable(),
})
export type DataExport = z.infer<typeof dataExportSchema>

export const deleteAccountSchema = z.object({
  /** Without it, a recent confirmation counts. */
  password: z.string().max(1000).optional(),
  /** Until then, signing in keeps the account. */
  inDays: z.literal([0, DELETION_DAYS]).default(0),
})
export type DeleteAccount = z.infer<typeof deleteAccountSchema>

/** Of the account that somebody has just tried to sign in to. */
export const leavingSchema = z.object({ deletesAt: timestampSchema })
