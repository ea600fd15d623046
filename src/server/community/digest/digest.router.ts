import { z } from 'zod'
import { openProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { digestEverySchema } from '#shared/schemas/email.schemas.ts'
import { chooseDigest, readDigest, unsubscribe } from './digest.service.ts'

const choiceSchema = z.object({ every: digestEverySchema })

export const digestRouter = router({
  choice: sessionProcedure
    .output(choiceSchema)
    .query(({ ctx }) => readDigest(ctx.db, { viewer: ctx.viewer })),

  choose: sessionProcedure
    .input(choiceSchema)
    .output(choiceSchema)
    .mutation(({ ctx, input }) => chooseDigest(ctx, { ...input, viewer: ctx.viewer })),

  /** For the link in a summary, which works without a session. */
  unsubscribe: openProcedure
    .input(z.object({ token: z.string().max(100) }))
    .output(z.void())
    .mutation(({ ctx, input }) => unsubscribe(ctx.db, input.token)),
})
