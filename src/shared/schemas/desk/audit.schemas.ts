import { z } from 'zod'
import { AUDIT_ACTIONS, FILTER_MAX } from '../../admin-limits.ts'
import { pageInputSchema, timestampSchema } from '../../field.schemas.ts'
import { tidyQuery } from '../../text/shown-text.ts'

export const auditEntrySchema = z.object({
  id: z.int(),
  createdAt: timestampSchema,
  /** Null for the site itself or a deleted account. */
  actorId: z.int().nullable(),
  actorName: z.string(),
  action: z.string(),
  targetKind: z.string(),
  targetId: z.int().nullable(),
  /** Name at that time. */
  targetName: z.string(),
  reason: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** Substring, ignoring case and accents. */
export const filterSchema = z
  .string()
  .max(FILTER_MAX, `must be at most ${FILTER_MAX} characters`)
  .transform(tidyQuery)

export const listAuditSchema = pageInputSchema.extend({
  q: filterSchema.optional(),
  action: z.enum(AUDIT_ACTIONS, { error: 'is not one of the actions' }).optional(),
  /** Logins would bury admins' acts. */
  withLogins: z.boolean().default(true),
})
