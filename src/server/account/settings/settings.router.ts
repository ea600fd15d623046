import { z } from 'zod'
import { confirmedProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { confirmWaysSchema, requestOptionsSchema } from '#shared/schemas/second-factor.schemas.ts'
import {
  changePasswordSchema,
  confirmPasswordSchema,
  editProfileSchema,
  endSessionSchema,
  sessionSchema,
} from '#shared/schemas/settings.schemas.ts'
import { ownUserSchema } from '#shared/schemas/user.schemas.ts'
import {
  beginPasskeyConfirm,
  confirmPassword,
  readConfirmWays,
  requireSecondFactorConfirmed,
} from './confirm.service.ts'
import {
  changePassword,
  editProfile,
  readSessions,
  removePicture,
  revokeOtherSessions,
  revokeSession,
  setPassword,
} from './settings.service.ts'

export const settingsRouter = router({
  editProfile: sessionProcedure
    .input(editProfileSchema)
    .output(ownUserSchema)
    .mutation(({ ctx, input }) =>
      editProfile(ctx, { ...input, viewer: ctx.viewer, session: ctx.session }),
    ),

  removePicture: sessionProcedure
    .input(z.object({ kind: z.enum(['avatar', 'banner']) }))
    .output(z.void())
    .mutation(({ ctx, input }) => removePicture(ctx, { ...input, viewer: ctx.viewer })),

  changePassword: sessionProcedure
    .input(changePasswordSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { viewer, session } = ctx
      await requireSecondFactorConfirmed(ctx, { viewer, session })
      const token = await changePassword(ctx, { ...input, viewer, session })
      ctx.sessionCookie.write(token, { rememberMe: session.rememberMe })
    }),

  setPassword: confirmedProcedure
    .input(changePasswordSchema.pick({ newPassword: true }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { viewer, session } = ctx
      const token = await setPassword(ctx, { ...input, viewer, session })
      ctx.sessionCookie.write(token, { rememberMe: session.rememberMe })
    }),

  confirmPassword: sessionProcedure
    .input(confirmPasswordSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => {
      const { viewer, session } = ctx
      return confirmPassword(ctx, { ...input, viewer, session })
    }),

  confirmWays: sessionProcedure
    .output(confirmWaysSchema)
    .query(({ ctx }) => readConfirmWays(ctx, ctx)),

  beginPasskeyConfirm: sessionProcedure
    .output(requestOptionsSchema)
    .mutation(({ ctx }) => beginPasskeyConfirm(ctx, ctx)),

  sessions: sessionProcedure
    .output(z.array(sessionSchema))
    .query(({ ctx }) => readSessions(ctx.db, ctx)),

  endSession: confirmedProcedure
    .input(endSessionSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeSession(ctx, { ...input, viewer: ctx.viewer })),

  endOtherSessions: confirmedProcedure
    .output(z.void())
    .mutation(({ ctx }) => revokeOtherSessions(ctx, ctx)),
})
