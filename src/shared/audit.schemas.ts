import { z } from 'zod'
import { pageInputSchema, tidyText, timestampSchema } from './field.schemas.ts'

/** What admins do that is written down. */
export const AUDIT_ACTIONS = [
  'video.approve',
  'video.reject',
  'video.hide',
  'video.unhide',
  'video.delete',
  'video.cancel-work',
  'video.retry-work',
  'video.free-original',
  'comment.approve',
  'comment.hide',
  'comment.unhide',
  'comment.delete',
  'report.resolve',
  'report.dismiss',
  'member.warn',
  'member.ban',
  'member.unban',
  'member.expire',
  'member.make-admin',
  'member.unmake-admin',
  'member.set-quota',
  'member.reset-password',
  'invite.create',
  'invite.revoke',
  'site.edit',
  'site.logo',
  'site.check',
  'backup.make',
  'backup.download',
  'backup.delete',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

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

export const FILTER_MAX = 100

/** What a filter box narrows a list to: a part of a text, whatever its case and accents. */
export const filterSchema = z
  .string()
  .max(FILTER_MAX, `must be at most ${FILTER_MAX} characters`)
  .transform(tidyText)

export const listAuditSchema = pageInputSchema.extend({
  q: filterSchema.optional(),
  action: z.enum(AUDIT_ACTIONS, { error: 'is not one of the actions' }).optional(),
})
