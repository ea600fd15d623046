import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

export const nodeSchema = z.object({
  id: z.string(),
  /** 'host:port'. */
  name: z.string(),
  version: z.string(),
  startedAt: timestampSchema,
  /** By the database's clock. */
  secondsSilent: z.int(),
  /** `unready` works partly; `silent` has no heartbeat, expected every 5 s. */
  state: z.enum(['serving', 'unready', 'draining', 'silent']),
  problem: z.string().nullable(),
  /** The node that answers this request. */
  isAsked: z.boolean(),
})
export type Node = z.infer<typeof nodeSchema>

/** Empty for a single process. */
export const nodesSchema = z.object({
  nodes: z.array(nodeSchema),
  versionsDiffer: z.boolean(),
})
