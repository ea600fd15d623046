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
  /** Draining: it is about to stop; silent: it says nothing, though it should every 5 s. */
  state: z.enum(['serving', 'draining', 'silent']),
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
