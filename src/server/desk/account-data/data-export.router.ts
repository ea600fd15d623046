import { z } from 'zod'
import { confirmedProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { askForDataSchema, dataExportSchema } from '#shared/schemas/settings.schemas.ts'
import { findDataExport } from './data-export.queries.ts'
import { askForData, openDataArchive, requireReadyExport } from './data-export.service.ts'

/** Part of the `settings` router. It is in `desk` because an export reads data of all groups. */
export const dataExportRouter = router({
  dataExport: sessionProcedure
    .output(dataExportSchema.nullable())
    .query(async ({ ctx }) => (await findDataExport(ctx.db, ctx.viewer.id)) ?? null),

  askForData: confirmedProcedure
    .input(askForDataSchema)
    .output(z.void())
    .mutation(({ ctx, input }) =>
      askForData(ctx, { viewer: ctx.viewer, format: input?.format ?? 'clutch' }),
    ),

  /** Called before the download, because a plain link can neither ask for the password nor show a sentence. */
  prepareDownload: confirmedProcedure.output(z.void()).mutation(async ({ ctx }) => {
    const { viewer } = ctx
    const found = await requireReadyExport(ctx.db, viewer)
    await openDataArchive(ctx, { found, viewer, checksFiles: true })
  }),
})
