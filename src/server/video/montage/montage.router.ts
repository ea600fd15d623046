import { memberProcedure, router } from '#server/platform/trpc.ts'
import { startedMontageSchema, startMontageSchema } from '#shared/schemas/montage.schemas.ts'
import { startMontage } from './montage.service.ts'

export const montageRouter = router({
  start: memberProcedure
    .input(startMontageSchema)
    .output(startedMontageSchema)
    .mutation(({ ctx, input }) =>
      startMontage(ctx, { ...input, viewer: ctx.viewer, origin: ctx.origin }),
    ),
})
