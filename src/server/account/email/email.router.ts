import { z } from 'zod'
import { openProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { emailStateSchema, verifyEmailSchema } from '#shared/schemas/email.schemas.ts'
import { readEmailState, sendVerification, verifyEmail } from './email.service.ts'

export const emailRouter = router({
  state: sessionProcedure
    .output(emailStateSchema)
    .query(({ ctx }) => readEmailState(ctx, { viewer: ctx.viewer })),

  sendVerification: sessionProcedure
    .output(z.void())
    .mutation(({ ctx }) => sendVerification(ctx, { viewer: ctx.viewer })),

  /** Needs no session, because the link may be opened on a device that is not signed in. */
  verify: openProcedure
    .input(verifyEmailSchema)
    .output(z.object({ username: z.string() }))
    .mutation(({ ctx, input }) => verifyEmail(ctx, input)),
})
