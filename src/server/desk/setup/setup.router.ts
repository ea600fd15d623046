import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { markStepSchema, reachSchema, setupSchema } from '#shared/schemas/desk/setup.schemas.ts'
import { markStep, readReach, readSetup } from './setup.service.ts'

export const setupRouter = router({
  get: adminProcedure.output(setupSchema).query(({ ctx }) => readSetup(ctx)),

  mark: adminProcedure
    .input(markStepSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => markStep(ctx.db, input)),

  reach: adminProcedure.output(reachSchema).query(({ ctx }) => readReach(ctx)),
})
