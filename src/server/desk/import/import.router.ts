import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import {
  importIdSchema,
  importPlacesSchema,
  importRunSchema,
  startImportSchema,
} from '#shared/schemas/desk/import.schemas.ts'
import { listPlaces, listRuns, startImport, stopImport } from './import-run.service.ts'

export const importRouter = router({
  list: adminProcedure.output(z.array(importRunSchema)).query(({ ctx }) => listRuns(ctx)),

  /** The folders of `IMPORT_FOLDERS`. */
  places: adminProcedure.output(importPlacesSchema).query(({ ctx }) => listPlaces(ctx)),

  start: adminProcedure
    .input(startImportSchema)
    .output(importIdSchema)
    .mutation(({ ctx, input }) => startImport(ctx, { ...input, viewer: ctx.viewer })),

  stop: adminProcedure
    .input(importIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => stopImport(ctx, input)),
})
