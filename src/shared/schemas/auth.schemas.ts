import { z } from 'zod'
import { lineSchema, ruleCheck } from '../field.schemas.ts'
import {
  displayNameRule,
  emailRule,
  passwordRule,
  usernameLengthRule,
  usernameRule,
} from '../field-rules.ts'

const passwordSchema = z.string().superRefine(ruleCheck(passwordRule))

export const loginSchema = z.object({
  username: z
    .string()
    .transform((value) => value.trim())
    .superRefine(ruleCheck(usernameLengthRule)),
  password: passwordSchema,
  rememberMe: z.boolean().default(false),
})
export type Login = z.infer<typeof loginSchema>

export const registerSchema = z.object({
  username: lineSchema.superRefine(ruleCheck(usernameRule)),
  email: lineSchema.superRefine(ruleCheck(emailRule)),
  displayName: lineSchema.superRefine(ruleCheck(displayNameRule)),
  password: passwordSchema,
  invite: z.string().max(100).nullish(),
  /** Printed on the terminal of a site without an admin; makes the account admin. */
  setupCode: z.string().max(100).nullish(),
})
export type Register = z.infer<typeof registerSchema>
