import { listAuditEntries } from '#server/platform/audit/audit.queries.ts'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import { auditEntrySchema, listAuditSchema } from '#shared/schemas/desk/audit.schemas.ts'

export const auditRouter = router({
  list: adminProcedure
    .input(listAuditSchema)
    .output(pageSchema(auditEntrySchema))
    .query(({ ctx, input }) => listAuditEntries(ctx.db, input)),
})
