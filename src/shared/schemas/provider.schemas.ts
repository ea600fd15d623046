import { z } from 'zod'
import { lineSchema, ruleCheck, timestampSchema } from '../field.schemas.ts'
import { displayNameRule, emailRule, usernameRule } from '../field-rules.ts'
import { PROVIDER_NAME_MAX } from '../providers.ts'

const ADDRESS_MAX = 500
const SECRET_MAX = 1000
const NEXT_MAX = 1000
const ROLE_RULES_MAX = 50

const idSchema = z.object({ id: z.int() })

const SNOWFLAKE = /^\d{15,22}$/
const snowflakeSchema = lineSchema.refine((value) => SNOWFLAKE.test(value), {
  error: 'Discord IDs are numbers of 15 to 22 digits',
})

export const roleRuleSchema = z.discriminatedUnion('gives', [
  z.object({ roleId: snowflakeSchema, gives: z.literal('admin') }),
  z.object({ roleId: snowflakeSchema, gives: z.literal('uploader') }),
  z.object({ roleId: snowflakeSchema, gives: z.literal('squad'), squadId: z.int() }),
])
export type RoleRule = z.infer<typeof roleRuleSchema>

const addressError = 'The address must begin with https:// or http://'
const addressSchema = lineSchema.refine(
  (value) => value.length <= ADDRESS_MAX && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
  { error: addressError },
)

const nameError = `The name must be 1 to ${PROVIDER_NAME_MAX} characters`
const providerFields = {
  name: lineSchema.refine(({ length }) => length >= 1 && length <= PROVIDER_NAME_MAX, {
    error: nameError,
  }),
  issuer: addressSchema,
  clientId: lineSchema.refine(({ length }) => length >= 1 && length <= SECRET_MAX, {
    error: 'The client ID is missing',
  }),
  makesAccounts: z.boolean(),
  takesProfile: z.boolean(),
  guildId: snowflakeSchema.nullable(),
  roleRules: z.array(roleRuleSchema).max(ROLE_RULES_MAX),
}
const secretSchema = z.string().trim().min(1, 'The client secret is missing').max(SECRET_MAX)

export const createProviderSchema = z.object({
  ...providerFields,
  kind: z.enum(['oidc', 'discord']),
  clientSecret: secretSchema,
})
export type CreateProvider = z.infer<typeof createProviderSchema>

/** Omitted fields keep their value. */
export const editProviderSchema = z
  .object({ ...providerFields, clientSecret: secretSchema })
  .partial()
  .extend({ id: z.int() })
export type EditProvider = z.infer<typeof editProviderSchema>

/** For admins. The secret is never sent. */
export const providerSchema = z.object({
  id: z.int(),
  source: z.enum(['environment', 'desk']),
  kind: z.enum(['oidc', 'discord']),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  makesAccounts: z.boolean(),
  takesProfile: z.boolean(),
  guildId: z.string().nullable(),
  roleRules: z.array(roleRuleSchema),
  /** Redirect address that must be registered at the provider. */
  callbackUrl: z.string(),
  logoutUrl: z.string(),
  memberCount: z.int(),
  /** Number of members who have no other way to sign in. */
  onlyWayCount: z.int(),
})
export type Provider = z.infer<typeof providerSchema>

export const providerIdSchema = idSchema

/** A button of the sign-in page. */
export const offeredProviderSchema = z.object({
  id: z.int(),
  kind: z.enum(['oidc', 'discord']),
  name: z.string(),
})
export type OfferedProvider = z.infer<typeof offeredProviderSchema>

export const beginProviderSchema = z.object({
  id: z.int(),
  /** `confirm` confirms the identity of a signed-in member in place of the password. */
  purpose: z.enum(['sign-in', 'link', 'confirm']),
  /** Path on this site to open afterwards. */
  next: z.string().max(NEXT_MAX).nullish(),
  rememberMe: z.boolean().default(false),
  invite: z.string().max(100).nullish(),
})
export type BeginProvider = z.infer<typeof beginProviderSchema>

/** The result of a visit to a provider, for the page that is shown afterwards. */
export const providerOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('problem'),
    purpose: beginProviderSchema.shape.purpose,
    sentence: z.string(),
  }),
  z.object({
    kind: z.literal('register'),
    provider: z.string(),
    username: z.string(),
    displayName: z.string(),
    email: z.string(),
  }),
])
export type ProviderOutcome = z.infer<typeof providerOutcomeSchema>

export const registerByProviderSchema = z.object({
  username: lineSchema.superRefine(ruleCheck(usernameRule)),
  email: lineSchema.superRefine(ruleCheck(emailRule)),
  displayName: lineSchema.superRefine(ruleCheck(displayNameRule)),
})
export type RegisterByProvider = z.infer<typeof registerByProviderSchema>

export const linkedAccountSchema = z.object({
  id: z.int(),
  provider: offeredProviderSchema,
  /** Name of the account at the provider. */
  name: z.string(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema,
})
export type LinkedAccount = z.infer<typeof linkedAccountSchema>

export const linkedAccountsSchema = z.object({
  providers: z.array(offeredProviderSchema),
  identities: z.array(
    linkedAccountSchema.extend({
      /** True if the account was created for members of a Discord server, so that only an admin can unlink it. */
      isHeld: z.boolean(),
    }),
  ),
})
export type LinkedAccounts = z.infer<typeof linkedAccountsSchema>
