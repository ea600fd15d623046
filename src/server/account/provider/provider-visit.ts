/** What the server remembers while somebody is at a provider, and what came of the visit. */
import { z } from 'zod'
import { beginProviderSchema, providerOutcomeSchema } from '#shared/schemas/provider.schemas.ts'
import type { StepKind } from '../auth/sign-in-step.ts'

const visitSchema = z.object({
  providerId: z.int(),
  purpose: beginProviderSchema.shape.purpose,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** Path of this site. */
  next: z.string(),
  rememberMe: z.boolean(),
  invite: z.string().nullable(),
  /** That links or confirms. */
  sessionId: z.string().nullable(),
  /** Unix seconds. */
  beganAt: z.number(),
})
export type Visit = z.infer<typeof visitSchema>

export const VISIT: StepKind<Visit> = { kind: 'provider-visit', data: visitSchema }

const accountSchema = z.object({
  subject: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  emailIsVerified: z.boolean(),
  avatar: z.string().nullable(),
  session: z.string().nullable(),
  authTime: z.number().optional(),
  refreshToken: z.string().nullable(),
  roles: z.array(z.string()).optional(),
})

const endSchema = z.object({
  outcome: providerOutcomeSchema,
  /** For an outcome that makes an account. */
  newcomer: z
    .object({
      providerId: z.int(),
      account: accountSchema,
      next: z.string(),
      rememberMe: z.boolean(),
      invite: z.string().nullable(),
    })
    .nullable(),
})
export type VisitEnd = z.infer<typeof endSchema>

export const VISIT_END: StepKind<VisitEnd> = { kind: 'provider-end', data: endSchema }
