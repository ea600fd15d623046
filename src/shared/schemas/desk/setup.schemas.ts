import { z } from 'zod'

/** What an admin is led through on a new site, in this order. */
export const SETUP_STEPS = ['look', 'members', 'uploads', 'reach', 'clip'] as const
const setupStepSchema = z.enum(SETUP_STEPS)
export type SetupStep = z.infer<typeof setupStepSchema>

const setupStateSchema = z.enum(['open', 'done', 'skipped'])

export const setupSchema = z.object({
  steps: z.array(z.object({ name: setupStepSchema, state: setupStateSchema })),
  /** The first video that was uploaded, by whomever. */
  firstVideo: z.object({ id: z.int(), title: z.string() }).nullable(),
})
export type Setup = z.infer<typeof setupSchema>

export const markStepSchema = z.object({ step: setupStepSchema, state: setupStateSchema })

/** Where the site is reached, as far as the server can see. */
export const reachSchema = z.object({
  publicUrl: z.string().nullable(),
  /** The address by which this request came, whatever `publicUrl` is. */
  origin: z.string(),
  /** What others on the machine's networks open. */
  lanOrigins: z.array(z.string()),
  /** The one address that the server listens to, if it leaves the networks out. */
  loneHost: z.string().nullable(),
  /** Whether a proxy passed this request on, and whether its word counts. */
  proxy: z.enum(['none', 'trusted', 'untrusted']),
  /** Whoever holds the connection: the proxy, if there is one. */
  peer: z.string(),
  /** What links carry is no address of this machine or its network. */
  isPublic: z.boolean(),
})
export type Reach = z.infer<typeof reachSchema>
