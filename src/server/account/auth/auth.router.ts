import { z } from 'zod'
import { openProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { loginSchema } from '#shared/schemas/auth.schemas.ts'
import {
  assertionSchema,
  codeSchema,
  newRecoveryCodesSchema,
  requestOptionsSchema,
  secondFactorAnswerSchema,
  secondFactorWaysSchema,
  timeCodeSetupSchema,
} from '#shared/schemas/second-factor.schemas.ts'
import { leavingSchema } from '#shared/schemas/settings.schemas.ts'
import { ownUserSchema } from '#shared/schemas/user.schemas.ts'
import { findOwnUser } from '../user/user.queries.ts'
import { keepAccount, logIn } from './auth.service.ts'
import { readLeaving } from './leaving-step.ts'
import { endSession } from './lucia.ts'
import {
  beginPasskeySignIn,
  finishEnrolment,
  finishSignIn,
  readPendingStep,
  signInByPasskey,
} from './second-factor-step.service.ts'

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

  /** A mutation, because the answer depends on a cookie and must not be cached. */
  leaving: openProcedure.output(leavingSchema.nullable()).mutation(({ ctx }) => readLeaving(ctx)),

  keepAccount: openProcedure.output(ownUserSchema).mutation(({ ctx }) => keepAccount(ctx)),
  /** A mutation, so that no browser stores the answer, which can contain the key of a new authenticator app. */
  pendingStep: openProcedure
    .output(
      z
        .object({
          ways: secondFactorWaysSchema,
          passkey: requestOptionsSchema.nullable(),
          setup: timeCodeSetupSchema.nullable(),
        })
        .nullable(),
    )
    .mutation(({ ctx }) => readPendingStep(ctx)),

  finishSignIn: openProcedure
    .input(secondFactorAnswerSchema)
    .output(ownUserSchema)
    .mutation(({ ctx, input }) => finishSignIn(ctx, input)),

  finishEnrolment: openProcedure
    .input(z.object({ code: codeSchema }))
    .output(newRecoveryCodesSchema.extend({ user: ownUserSchema.nullable(), username: z.string() }))
    .mutation(({ ctx, input }) => finishEnrolment(ctx, input)),

  beginPasskeySignIn: openProcedure
    .output(requestOptionsSchema)
    .mutation(({ ctx }) => beginPasskeySignIn(ctx)),

  signInByPasskey: openProcedure
    .input(z.object({ passkey: assertionSchema, rememberMe: z.boolean().default(false) }))
    .output(ownUserSchema)
    .mutation(({ ctx, input }) => signInByPasskey(ctx, input)),

  logout: openProcedure.output(z.void()).mutation(async ({ ctx }) => {
    if (ctx.session) {
      await endSession(ctx.sessions, ctx.session.id)
      ctx.log.info({ userId: ctx.session.viewer.id, address: ctx.address }, 'logout')
    }
    ctx.sessionCookie.clear()
  }),
})
