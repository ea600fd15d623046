import { z } from 'zod'
import { openProcedure, router } from '#server/platform/trpc.ts'
import { loginSchema, registerSchema } from '#shared/schemas/auth.schemas.ts'
import { resetPasswordSchema, resetTokenSchema } from '#shared/schemas/desk/member.schemas.ts'
import { registrationSchema } from '#shared/schemas/desk/site.schemas.ts'
import { ownUserSchema } from '#shared/schemas/user.schemas.ts'
import { readRegistration } from '../invite/invite.service.ts'
import { readPasswordReset, resetPassword } from '../member/member.service.ts'
import { findOwnUser } from '../user/user.queries.ts'
import { logIn, registerUser } from './auth.service.ts'
import { endSession } from './lucia.ts'

export const authRouter = router({
  currentUser: openProcedure
    .output(ownUserSchema.nullable())
    .query(async ({ ctx }) => (ctx.viewer && (await findOwnUser(ctx.db, ctx.viewer.id))) ?? null),

  login: openProcedure
    .input(loginSchema)
    .output(ownUserSchema)
    .mutation(async ({ ctx, input }) => {
      const known = ctx.deviceCookie.read()
      const { user, token, deviceToken } = await logIn(ctx, { ...input, deviceToken: known })
      if (ctx.session) await endSession(ctx.sessions, ctx.session.id)
      ctx.sessionCookie.write(token, { rememberMe: input.rememberMe })
      if (deviceToken) ctx.deviceCookie.write(deviceToken)
      return user
    }),

  register: openProcedure
    .input(registerSchema)
    .output(ownUserSchema)
    .mutation(async ({ ctx, input }) => {
      const { user, token } = await registerUser(ctx, input)
      if (ctx.session) await endSession(ctx.sessions, ctx.session.id)
      ctx.sessionCookie.write(token, { rememberMe: false })
      return user
    }),

  /** A mutation keeps the invite's code out of the address. */
  registration: openProcedure
    .input(z.object({ invite: z.string().max(100).nullish() }))
    .output(
      z.object({
        registration: registrationSchema,
        inviteIsOpen: z.boolean(),
        needsAdmin: z.boolean(),
      }),
    )
    .mutation(({ ctx, input }) => readRegistration(ctx.db, input)),

  /** A mutation keeps the token out of the address. */
  passwordReset: openProcedure
    .input(resetTokenSchema)
    .output(z.object({ username: z.string() }))
    .mutation(({ ctx, input }) => readPasswordReset(ctx.db, input)),

  /** Ends all sessions of the member. */
  resetPassword: openProcedure
    .input(resetPasswordSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => resetPassword(ctx, input)),

  logout: openProcedure.output(z.void()).mutation(async ({ ctx }) => {
    if (ctx.session) await endSession(ctx.sessions, ctx.session.id)
    ctx.sessionCookie.clear()
  }),
})
