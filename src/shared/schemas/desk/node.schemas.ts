import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

/** A process that serves the site, among several. */
export const nodeSchema = z.object({
  id: z.string(),
  /** Of its machine, and its port. */
  name: z.string(),
  version: z.string(),
  startedAt: timestampSchema,
  /** Since its last word, by the clock of the database. */
  secondsSilent: z.int(),
  /**
   * Unready: it cannot do all of its work; draining: it is about to stop; silent: it says nothing, though it should every 5 s.
   */
  state: z.enum(['serving', 'unready', 'draining', 'silent']),
  /** Why it was not ready at its last word, in sentences, as `/api/ready` says; null when it was. */
  problem: z.string().nullable(),
  /** It gave this answer. */
  isAsked: z.boolean(),
})
export type Node = z.infer<typeof nodeSchema>

/** None where the site is one process. */
export const nodesSchema = z.object({
  nodes: z.array(nodeSchema),
  /** As happens while they are updated. */
  versionsDiffer: z.boolean(),
})
