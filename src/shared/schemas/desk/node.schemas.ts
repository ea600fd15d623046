import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

export const nodeSchema = z.object({
  id: z.string(),
  /** 'host:port'. */
  name: z.string(),
  version: z.string(),
  startedAt: timestampSchema,
  /** Since its last heartbeat, by the database's clock. */
  secondsSilent: z.int(),
  /**
   * `unready`: partly working; `draining`: about to stop; `silent`: without a heartbeat, expected
   * every 5 s.
   */
  state: z.enum(['serving', 'unready', 'draining', 'silent']),
  /** Sentences of `/api/ready` at its last heartbeat. */
  problem: z.string().nullable(),
  /** Gave this answer. */
  isAsked: z.boolean(),
})
export type Node = z.infer<typeof nodeSchema>

/** Empty for a single process. */
export const nodesSchema = z.object({
  nodes: z.array(nodeSchema),
  /** Expected during an update. */
  versionsDiffer: z.boolean(),
})
