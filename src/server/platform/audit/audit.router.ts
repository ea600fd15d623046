import { pageSchema } from '#shared/field.schemas.ts'
import { auditEntrySchema, listAuditSchema } from '#shared/schemas/desk/audit.schemas.ts'
import { adminProcedure, router } from '../trpc.ts'
import { listAuditEntries } from './audit.queries.ts'

export const auditRouter = router({
  list: adminProcedure
    .input(listAuditSchema)
    .output(pageSchema(auditEntrySchema))
    .query(({ ctx, input }) => listAuditEntries(ctx.db, input)),
})
