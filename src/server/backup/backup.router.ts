import { z } from 'zod'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import { listQueueSchema } from '#shared/moderation.schemas.ts'
import { backupSchema } from '#shared/storage.schemas.ts'
import { adminProcedure, router } from '../trpc.ts'
import { listBackups } from './backup.queries.ts'
import { removeBackup, startBackup } from './backup.service.ts'

export const backupRouter = router({
  list: adminProcedure
    .input(listQueueSchema)
    .output(pageSchema(backupSchema))
    .query(({ ctx, input }) => listBackups(ctx.db, input)),

  start: adminProcedure
    .output(backupSchema)
    .mutation(({ ctx }) => startBackup(ctx, { viewer: ctx.viewer })),

  delete: adminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeBackup(ctx, { ...input, viewer: ctx.viewer })),
})
