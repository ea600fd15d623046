import { z } from 'zod'
import { openProcedure, router } from '#server/platform/trpc.ts'
import { resetPasswordSchema, resetTokenSchema } from '#shared/schemas/desk/member.schemas.ts'
import { forgotPasswordSchema } from '#shared/schemas/email.schemas.ts'
import { forgetPassword, readPasswordReset, resetPassword } from './member.service.ts'

export const passwordResetRouter = router({
  forgotPassword: openProcedure
    .input(forgotPasswordSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => forgetPassword(ctx, input)),

  /** A mutation: the token is in no address. */
  passwordReset: openProcedure
    .input(resetTokenSchema)
    .output(z.object({ username: z.string() }))
    .mutation(({ ctx, input }) => readPasswordReset(ctx, input)),

  resetPassword: openProcedure
    .input(resetPasswordSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),
})
