import { z } from 'zod'
import { wasSchema } from '../field.schemas.ts'
import { PASSWORD_MIN } from '../limits.ts'
import { offeredProviderSchema } from './provider.schemas.ts'

const PASSWORD_MIN_MAX = 64

const passwordMinError = `must be a whole number from ${PASSWORD_MIN} to ${PASSWORD_MIN_MAX}`
const passwordMinSchema = z
  .int({ error: passwordMinError })
  .min(PASSWORD_MIN, passwordMinError)
  .max(PASSWORD_MIN_MAX, passwordMinError)

export const signInSettingsSchema = z.object({
  /** Minimum number of characters of a new password. */
  passwordMin: z.int(),
  passwordsFor: z.enum(['everybody', 'admins']),
  /** The buttons of identity providers are above the password form. */
  providersFirst: z.boolean(),
  secondFactorFor: z.enum(['nobody', 'admins', 'everybody']),
  /** When a second factor becomes required; null means at once. */
  secondFactorFrom: z.string().nullable(),
  needsHttps: z.boolean(),
})
export type SignInSettings = z.infer<typeof signInSettingsSchema>

const someSettingsSchema = signInSettingsSchema
  .extend({
    passwordMin: passwordMinSchema,
    secondFactorFrom: z.iso.datetime({ error: 'must be a date' }).nullable(),
  })
  .partial()

/** Omitted settings keep their value. */
export const editSignInSettingsSchema = someSettingsSchema.extend({
  was: wasSchema(signInSettingsSchema),
})
export type EditSignInSettings = z.infer<typeof editSignInSettingsSchema>

export const signInWaysSchema = z.object({
  passwordsFor: signInSettingsSchema.shape.passwordsFor,
  passwordMin: z.int(),
  providersFirst: z.boolean(),
  /** Password links can be requested by email. */
  sendsMail: z.boolean(),
  providers: z.array(offeredProviderSchema),
})
export type SignInWays = z.infer<typeof signInWaysSchema>
