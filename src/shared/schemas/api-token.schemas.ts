import { z } from 'zod'
import { lineSchema, timestampSchema } from '../field.schemas.ts'

export const API_TOKENS_MAX = 20
const API_TOKEN_NAME_MAX = 50
const API_TOKEN_DAYS_MAX = 3650

/** `upload` sends videos and sees the member's own; `read` reads what the member may see. */
const apiTokenScopeSchema = z.enum(['upload', 'read'])
export type ApiTokenScope = z.infer<typeof apiTokenScopeSchema>

export const createApiTokenSchema = z.object({
  name: lineSchema.refine((name) => name.length > 0 && name.length <= API_TOKEN_NAME_MAX, {
    error: `Name must be 1 to ${API_TOKEN_NAME_MAX} characters.`,
  }),
  scope: apiTokenScopeSchema,
  /** Null for no expiry. */
  days: z
    .int()
    .min(1, 'must be at least 1')
    .max(API_TOKEN_DAYS_MAX, `must be at most ${API_TOKEN_DAYS_MAX}`)
    .nullable(),
})
export type CreateApiToken = z.infer<typeof createApiTokenSchema>

export const apiTokenSchema = z.object({
  id: z.int(),
  name: z.string(),
  scope: apiTokenScopeSchema,
  createdAt: timestampSchema,
  /** Exact to ten minutes. */
  lastUsedAt: timestampSchema.nullable(),
  /** Range of addresses of the last use, such as `203.0.113.0/24`. */
  address: z.string().nullable(),
  /** `User-Agent` of the last use. */
  userAgent: z.string().nullable(),
  expiresAt: timestampSchema.nullable(),
})
export type ApiToken = z.infer<typeof apiTokenSchema>

/** The only answer with the token. */
export const createdApiTokenSchema = apiTokenSchema.extend({ token: z.string() })
