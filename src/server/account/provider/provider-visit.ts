/** Data of a visit to a provider and of its outcome, kept in steps of the sign-in. */
import { z } from 'zod'
import { beginProviderSchema, providerOutcomeSchema } from '#shared/schemas/provider.schemas.ts'
import type { StepKind } from '../auth/sign-in-step.ts'
import { providerAccountSchema } from './provider-account.ts'

const visitSchema = z.object({
  providerId: z.int(),
  purpose: beginProviderSchema.shape.purpose,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** Path on this site to open afterwards. */
  next: z.string(),
  rememberMe: z.boolean(),
  invite: z.string().nullable(),
  /** Session of the member who links an account or confirms. */
  sessionId: z.string().nullable(),
  /** Unix seconds. */
  beganAt: z.number(),
})
export type Visit = z.infer<typeof visitSchema>

export const VISIT: StepKind<Visit> = { kind: 'provider-visit', data: visitSchema }

const endSchema = z.object({
  outcome: providerOutcomeSchema,
  /** Set if the outcome is the registration form. */
  newcomer: z
    .object({
      providerId: z.int(),
      account: providerAccountSchema,
      next: z.string(),
      rememberMe: z.boolean(),
      invite: z.string().nullable(),
    })
    .nullable(),
})
export type VisitEnd = z.infer<typeof endSchema>

export const VISIT_END: StepKind<VisitEnd> = { kind: 'provider-end', data: endSchema }

export const callbackUrl = (origin: string, providerId: number) =>
  `${origin}/api/auth/provider/${providerId}/callback`
