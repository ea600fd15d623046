import { z } from 'zod'
import { lineSchema, ruleCheck, textSchema, timestampSchema, wasSchema } from '../field.schemas.ts'
import { bioRule, displayNameRule, emailRule, passwordRule } from '../field-rules.ts'
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
  isCurrent: z.boolean(),
})
export const endSessionSchema = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, 'is not an id') })

export const deleteAccountSchema = z.object({ password: z.string().max(1000) })
