import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import { setSoundMixSchema } from '#shared/schemas/sound-mix.schemas.ts'
import { setSoundMix } from './sound-mix.service.ts'

export const soundMixRouter = router({
  setSoundMix: memberProcedure
    .input(setSoundMixSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => setSoundMix(ctx, { ...input, viewer: ctx.viewer })),
})
