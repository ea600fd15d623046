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
  /** Characters that a new password has at least. */
  passwordMin: z.int(),
  passwordsFor: z.enum(['everybody', 'admins']),
  /** Buttons of identity providers above the form for passwords. */
  providersFirst: z.boolean(),
  secondFactorFor: z.enum(['nobody', 'admins', 'everybody']),
  /** When it becomes required; null for at once. */
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

/** Omitted settings stay. */
export const editSignInSettingsSchema = someSettingsSchema.extend({
  was: wasSchema(signInSettingsSchema),
})
export type EditSignInSettings = z.infer<typeof editSignInSettingsSchema>

/** What the sign-in page offers. */
export const signInWaysSchema = z.object({
  passwordsFor: signInSettingsSchema.shape.passwordsFor,
  passwordMin: z.int(),
  providersFirst: z.boolean(),
  /** A link to a new password can be sent by email. */
  sendsMail: z.boolean(),
  providers: z.array(offeredProviderSchema),
})
export type SignInWays = z.infer<typeof signInWaysSchema>
