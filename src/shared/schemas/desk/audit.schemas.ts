import { z } from 'zod'
import { AUDIT_ACTIONS, FILTER_MAX } from '../../admin-limits.ts'
import { pageInputSchema, timestampSchema } from '../../field.schemas.ts'
import { tidyText } from '../../text/shown-text.ts'

export const auditEntrySchema = z.object({
  id: z.int(),
  createdAt: timestampSchema,
  /** Null when the site did it by itself, or the account is gone. */
  actorId: z.int().nullable(),
  actorName: z.string(),
  action: z.string(),
  targetKind: z.string(),
  targetId: z.int().nullable(),
  /** As it was called then. */
  targetName: z.string(),
  reason: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** What a filter box narrows a list to: a part of a text, whatever its case and accents. */
export const filterSchema = z
  .string()
  .max(FILTER_MAX, `must be at most ${FILTER_MAX} characters`)
  .transform(tidyText)

export const listAuditSchema = pageInputSchema.extend({
  q: filterSchema.optional(),
  action: z.enum(AUDIT_ACTIONS, { error: 'is not one of the actions' }).optional(),
  /** Without them the acts of admins are not lost among the logins of members. */
  withLogins: z.boolean().default(true),
})
