import { z } from 'zod'

export const SETUP_STEPS = ['look', 'members', 'uploads', 'reach', 'clip'] as const
const setupStepSchema = z.enum(SETUP_STEPS)
export type SetupStep = z.infer<typeof setupStepSchema>

const setupStateSchema = z.enum(['open', 'done', 'skipped'])

export const setupSchema = z.object({
  steps: z.array(z.object({ name: setupStepSchema, state: setupStateSchema })),
  firstVideo: z.object({ id: z.int(), title: z.string() }).nullable(),
})
export type Setup = z.infer<typeof setupSchema>

export const markStepSchema = z.object({ step: setupStepSchema, state: setupStateSchema })

/** As seen by the server. */
export const reachSchema = z.object({
  publicUrl: z.string().nullable(),
  /** Origin of this request. */
  origin: z.string(),
  lanOrigins: z.array(z.string()),
  /** Set when the server listens on one address only. */
  loneHost: z.string().nullable(),
  /** The server ignores headers of an `untrusted` proxy. */
  proxy: z.enum(['none', 'trusted', 'untrusted']),
  /** TCP peer: the proxy, if any. */
  peer: z.string(),
  isPublic: z.boolean(),
})
export type Reach = z.infer<typeof reachSchema>
