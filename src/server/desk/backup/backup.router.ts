import { z } from 'zod'
import { adminProcedure, confirmedAdminProcedure, router } from '#server/platform/trpc.ts'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import { listQueueSchema } from '#shared/schemas/desk/moderation.schemas.ts'
import {
  backupSafetySchema,
  backupSchema,
  restoreDrillSchema,
} from '#shared/schemas/desk/storage.schemas.ts'
import { listBackups } from './backup.queries.ts'
import { removeBackup, requireWholeBackup, resendBackup, startBackup } from './backup.service.ts'
import { readBackupSafety, startRestoreDrill } from './restore-drill.service.ts'

export const backupRouter = router({
  list: adminProcedure
    .input(listQueueSchema)
    .output(pageSchema(backupSchema))
    .query(({ ctx, input }) => listBackups(ctx.db, input)),

  start: adminProcedure
    .output(backupSchema)
    .mutation(({ ctx }) => startBackup(ctx, { viewer: ctx.viewer })),

  send: adminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => resendBackup(ctx, input.id)),

  safety: adminProcedure.output(backupSafetySchema).query(({ ctx }) => readBackupSafety(ctx)),

  startDrill: adminProcedure
    .output(restoreDrillSchema)
    .mutation(({ ctx }) => startRestoreDrill(ctx, { viewer: ctx.viewer })),

  /** A download link cannot ask for the password. */
  prepareDownload: confirmedAdminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await requireWholeBackup(ctx.db, input.id)
    }),

  delete: adminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => removeBackup(ctx, { ...input, viewer: ctx.viewer })),
})
