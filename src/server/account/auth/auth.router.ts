import { z } from 'zod'
import { openProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { loginSchema } from '#shared/schemas/auth.schemas.ts'
import { leavingSchema } from '#shared/schemas/settings.schemas.ts'
import { ownUserSchema } from '#shared/schemas/user.schemas.ts'
import { findOwnUser } from '../user/user.queries.ts'
import { keepAccount, logIn } from './auth.service.ts'
import { readLeaving } from './leaving-step.ts'
import { endSession } from './lucia.ts'

export const authRouter = router({
  currentUser: openProcedure
    .output(syncOutput(ownUserSchema.nullable()))
    .query(async ({ ctx }) => (ctx.viewer && (await findOwnUser(ctx.db, ctx.viewer.id))) ?? null),

  login: openProcedure
    .input(loginSchema)
    .output(ownUserSchema)
    .mutation(async ({ ctx, input }) => {
      const known = ctx.deviceCookie.read()
      const { user, deviceToken } = await logIn(ctx, { ...input, deviceToken: known })
      if (deviceToken) ctx.deviceCookie.write(deviceToken)
      return user
    }),

  /** A mutation, as the answer depends on a cookie of ten minutes. */
  leaving: openProcedure.output(leavingSchema.nullable()).mutation(({ ctx }) => readLeaving(ctx)),

  keepAccount: openProcedure.output(ownUserSchema).mutation(({ ctx }) => keepAccount(ctx)),

  logout: openProcedure.output(z.void()).mutation(async ({ ctx }) => {
    if (ctx.session) {
      await endSession(ctx.sessions, ctx.session.id)
      ctx.log.info({ userId: ctx.session.viewer.id, address: ctx.address }, 'logout')
    }
    ctx.sessionCookie.clear()
  }),
})
