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

/** A passkey alone, or everything else that the account has. */
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
  /** Range of addresses of the last use, such as `203.0.113.0/24`. */
  address: z.string().nullable(),
  /** Exact to ten minutes. */
  lastUsedAt: timestampSchema.nullable(),
  isCurrent: z.boolean(),
})
export const endSessionSchema = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, 'is not an id') })

/** An archive of everything, or of the videos as PeerTube imports them. */
export const dataExportFormatSchema = z.enum(['clutch', 'peertube'])
export type DataExportFormat = z.infer<typeof dataExportFormatSchema>

/** Clients from before there were two formats send nothing. */
export const askForDataSchema = z
  .object({ format: dataExportFormatSchema.default('clutch') })
  .optional()

/** The download of the member's own data. */
export const dataExportSchema = z.object({
  format: dataExportFormatSchema,
  state: z.enum(['queued', 'running', 'done', 'failed']),
  percent: z.int(),
  createdAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema,
  bytes: z.int(),
  /** Number of files of videos, clips and pictures in the archive. */
  fileCount: z.int(),
  error: z.string().nullable(),
})
export type DataExport = z.infer<typeof dataExportSchema>

export const deleteAccountSchema = z.object({
  /** If omitted, the session must have been confirmed recently. */
  password: z.string().max(1000).optional(),
  /** 0 deletes the account at once. Otherwise the member can keep it by signing in until then. */
  inDays: z.literal([0, DELETION_DAYS]).default(0),
})
export type DeleteAccount = z.infer<typeof deleteAccountSchema>

/** The account that somebody has just tried to sign in to. */
export const leavingSchema = z.object({ deletesAt: timestampSchema })
