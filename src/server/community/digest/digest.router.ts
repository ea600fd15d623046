import { z } from 'zod'
import { router, sessionProcedure } from '#server/platform/trpc.ts'
import { digestEverySchema } from '#shared/schemas/email.schemas.ts'
import { chooseDigest, readDigest } from './digest.service.ts'

const choiceSchema = z.object({ every: digestEverySchema })

export const digestRouter = router({
  choice: sessionProcedure
    .output(choiceSchema)
    .query(({ ctx }) => readDigest(ctx.db, { viewer: ctx.viewer })),

  choose: sessionProcedure
    .input(choiceSchema)
    .output(choiceSchema)
    .mutation(({ ctx, input }) => chooseDigest(ctx, { ...input, viewer: ctx.viewer })),
})
